import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import ts from 'typescript'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openListeningApp } from '../../packages/client/test/support/listening-app.ts'
import { openPage } from './browser.ts'
import { findChromium } from './find-chromium.ts'
import { SOLUTION, startJudgingService } from './judging-service.ts'

/** What a page does with the client: everything it needs is in its address. */
const html = `<!doctype html>
<script type="importmap">{ "imports": { "openapi-fetch": "/openapi-fetch.mjs" } }</script>
<output></output>
<script type="module">
  import { createJudgeClient } from '/client/client.ts'
  import { orThrow } from '/client/errors.ts'
  import { waitForVerdict } from '/client/waiting.ts'

  const asked = Object.fromEntries(new URLSearchParams(location.search))
  const client = createJudgeClient({ baseUrl: asked.service })
  const body = { name: 'Berta', email: 'berta@example.org', password: 'a password of Berta' }
  const refused = await client.POST('/v1/basic_login', { body })
  const { id: user_id, token } = await orThrow(client.POST('/v1/basic_register', { body }))
  client.setToken(token)
  const { problem_id, language_id, source_code } = asked
  const submission = { user_id, problem_id: Number(problem_id), language_id, source_code }
  const { id } = await orThrow(client.POST('/v1/submissions', { body: submission }))
  const seen = []
  const { status } = await waitForVerdict(client, id, { onProgress: (status) => seen.push(status) })
  document.querySelector('output').value = [refused.error.code, seen.at(-1), status].join(' ')
</script>`

const client = new URL('../../packages/client/src/', import.meta.url)
const openapiFetch = new URL('../../node_modules/openapi-fetch/dist/index.mjs', import.meta.url)

/** The client's own sources without their types, which is all that a browser needs done to them. */
async function readScript(path: string): Promise<string> {
  if (path === '/openapi-fetch.mjs') return readFile(openapiFetch, 'utf8')
  const source = await readFile(new URL(path.replace('/client/', ''), client), 'utf8')
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }
  return ts.transpileModule(source, { compilerOptions }).outputText
}

/** Serves the page and its scripts from another origin than the service's. */
async function servePage(): Promise<string> {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://page')
    if (pathname === '/') return response.setHeader('content-type', 'text/html').end(html)
    const script = await readScript(pathname).catch(() => undefined)
    if (script === undefined) return response.writeHead(404).end()
    return response.setHeader('content-type', 'text/javascript').end(script)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${Object(server.address()).port}`
}

describe('the typed client in a browser', () => {
  const test = it.skipIf(findChromium() === undefined)

  test('tells a refusal by its code, submits from another origin and waits for the verdict', {
    timeout: 60_000,
  }, async () => {
    const service = await startJudgingService({ CORS_ORIGINS: '*' })
    const { page, complaints } = await openPage()
    const query = new URLSearchParams({
      service: service.url,
      problem_id: String(service.problemId),
      language_id: service.language.id,
      source_code: SOLUTION,
    })
    await page.goto(`${await servePage()}/?${query}`)
    await page.locator('output', { hasText: 'INVALID_CREDENTIALS ACCEPTED ACCEPTED' }).waitFor()
    expect(complaints.filter((text) => !/status of (401|404)/.test(text))).toEqual([])
  })
})

/** Polls a list as any page does, and counts what is in it. */
const POLL = `async ([url, authorization]) => (await (await fetch(url, { headers: { authorization } })).json()).length`

/** Serves an empty page from another origin than the service's; what has no origin has no cache either. */
async function serveBlankPage(): Promise<string> {
  const server = createServer(
    (_, res) => void res.setHeader('content-type', 'text/html').end('<!doctype html>'),
  )
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${Object(server.address()).port}`
}

describe('a page of another origin that polls a list', () => {
  const test = it.skipIf(findChromium() === undefined)

  test('gets a 304 under way and the list out of the browser’s own cache, until it changes', {
    timeout: 60_000,
  }, async () => {
    const service = await openListeningApp({ CORS_ORIGINS: '*' })
    onTestFinished(() => service.close())
    const { token } = await service.createSubmitter()
    const { page, complaints } = await openPage()
    await page.goto(await serveBlankPage())
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
