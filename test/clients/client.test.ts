import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openListeningApp } from '../../packages/client/test/support/listening-app.ts'
import { SOLUTION } from '../../tools/local-servers/submitter.ts'
import { startJudgingService } from '../support/judging-service.ts'
import { openPage, servePage } from './browser.ts'
import { findChromium } from './find-chromium.ts'

/** A page that uses the client; its query has the service's URL and the submission. */
const html = `<!doctype html>
<script type="importmap">{ "imports": { "openapi-fetch": "/openapi-fetch.mjs" } }</script>
<output></output>
<script type="module">
  import { createJudgeClient } from '/client/client.ts'
  import { orThrow } from '/client/errors.ts'
  import { waitForVerdict } from '/client/waiting.ts'

  const query = Object.fromEntries(new URLSearchParams(location.search))
  const client = createJudgeClient({ baseUrl: query.service })
  const body = { name: 'Berta', email: 'berta@example.org', password: 'a password of Berta' }
  const refused = await client.POST('/v1/basic_login', { body })
  const { id: user_id, token } = await orThrow(client.POST('/v1/basic_register', { body }))
  client.setToken(token)
  const { problem_id, language_id, source_code } = query
  const submission = { user_id, problem_id: Number(problem_id), language_id, source_code }
  const { id } = await orThrow(client.POST('/v1/submissions', { body: submission }))
  const seen = []
  const { status } = await waitForVerdict(client, id, { onProgress: (status) => seen.push(status) })
  document.querySelector('output').value = [refused.error.code, seen.at(-1), status].join(' ')
</script>`

const client = new URL('../../packages/client/src/', import.meta.url)
const openapiFetch = new URL('../../node_modules/openapi-fetch/dist/index.mjs', import.meta.url)

/** Reads a source of the client without its types; browsers need no other change. */
async function readClientSource(path: string): Promise<string> {
  const source = await readFile(new URL(path.replace('/client/', ''), client), 'utf8')
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }
  return ts.transpileModule(source, { compilerOptions }).outputText
}

function readScript(path: string): Promise<string> | undefined {
  if (path === '/openapi-fetch.mjs') return readFile(openapiFetch, 'utf8')
  return path.startsWith('/client/') ? readClientSource(path) : undefined
}

/** A script that polls a list and returns its length. */
const POLL = `async ([url, authorization]) => (await (await fetch(url, { headers: { authorization } })).json()).length`

describe.skipIf(findChromium() === undefined)('a page of another origin', () => {
  it('uses the typed client to submit and wait for the verdict', async () => {
    const service = await startJudgingService({ CORS_ORIGINS: '*' })
    const { page, complaints } = await openPage()
    const query = new URLSearchParams({
      service: service.url,
      problem_id: String(service.problemId),
      language_id: service.language.id,
      source_code: SOLUTION,
    })
    await page.goto(`${await servePage(html, readScript)}/?${query}`)
    await page.locator('output', { hasText: 'INVALID_CREDENTIALS ACCEPTED ACCEPTED' }).waitFor()
    expect(complaints.filter((text) => !text.includes('status of 401'))).toEqual([])
  })

  it('polls a list: the browser revalidates its cache with a 304 until the list changes', async () => {
    const service = await openListeningApp({ CORS_ORIGINS: '*' })
    onTestFinished(() => service.close())
    const { token } = await service.createSubmitter()
    const { page, complaints } = await openPage()
    await page.goto(await servePage('<!doctype html>'))
    const poll = () => page.evaluate(`(${POLL})(${JSON.stringify([`${service.url}/v1/problems`, token])})`)
    expect([await poll(), await poll()]).toEqual([1, 1])
    await service.createSubmitter()
    expect([await poll(), await poll()]).toEqual([2, 2])
    const statuses = service.log
      .map((line) => JSON.parse(line))
      .filter(({ method, route }) => method === 'GET' && route === '/v1/problems')
      .map(({ status }) => status)
    expect(statuses).toEqual([200, 304, 200, 304])
    expect(complaints).toEqual([])
  })
})
