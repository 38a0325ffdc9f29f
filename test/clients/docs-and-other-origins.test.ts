import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import ts from 'typescript'
import { expect, it, onTestFinished } from 'vitest'
import { openListeningApp } from '../../packages/client/test/support/listening-app.ts'
import { ROOT, SOLUTION } from '../../tools/local-servers/submitter.ts'
import { startJudgingService } from '../support/judging-service.ts'
import { inBrowser, openPage, servePage } from './browser.ts'

/** Unfolds an operation of the page, and its group if needed. */
async function unfold(page: Page, group: string, operation: string): Promise<Locator> {
  const block = page.locator(`#operations-${group}-${operation}`)
  if (!(await block.isVisible())) await page.locator(`#operations-tag-${group}`).click()
  await block.locator('.opblock-summary-control').click()
  return block
}

const fillBody = (block: Locator, body: object) =>
  block.locator('textarea.body-param__text').fill(JSON.stringify(body))

/** Executes an operation; resolves to the response as the page shows it. */
async function execute(page: Page, block: Locator): Promise<{ status: string; body: string }> {
  const [response] = await Promise.all([page.waitForResponse(/\/v1\//), block.locator('.execute').click()])
  const hasText = (await response.headerValue('x-request-id')) ?? ''
  const shown = block.locator('.live-responses-table', { hasText })
  const status = await shown.locator('.response-col_status').last().innerText()
  const body = await shown.locator('.response-col_description .highlight-code code').first().innerText()
  return { status: status.trim(), body }
}

async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.btn.authorize').first().click()
  const field = page.locator('.auth-container', { hasText: /^token/ })
  await field.locator('input').fill(token)
  await field.getByRole('button', { name: 'Apply credentials' }).click()
  await page.locator('.close-modal').click()
}

inBrowser('the page at /docs', () => {
  it('logs in, submits and shows the verdict, with requests to the service only', async () => {
    const { url, problemId, language } = await startJudgingService()
    const { page, origins, complaints } = await openPage()
    await page.goto(`${url}/docs`)

    const login = await unfold(page, 'Accounts', 'logIn')
    await fillBody(login, { email: ROOT.email, password: ROOT.password })
    const session = JSON.parse((await execute(page, login)).body)
    await authorize(page, session.token)

    const submitting = await unfold(page, 'Submissions', 'createSubmission')
    const program = { problem_id: problemId, language_id: language.id, source_code: SOLUTION }
    await fillBody(submitting, { user_id: session.id, ...program })
    const submitted = await execute(page, submitting)
    expect(submitted.status).toBe('201')
    const { id, status } = JSON.parse(submitted.body)
    expect(status).toBe('PENDING')

    const reading = await unfold(page, 'Submissions', 'readSubmission')
    await reading.locator('tr[data-param-name="submission_id"] input').fill(id)
    const readStatus = async () => JSON.parse((await execute(page, reading)).body).status
    await expect.poll(readStatus, { interval: 200 }).toBe('ACCEPTED')

    expect([...origins]).toEqual([url])
    expect(complaints).toEqual([])
  })
})

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

inBrowser('a page of another origin', () => {
  it('reads nothing from a service that allows only others', async () => {
    const { url } = await startJudgingService({ CORS_ORIGINS: 'https://other.example.org' })
    const { page, complaints } = await openPage()
    await page.goto(await servePage('<!doctype html><title>Elsewhere</title>'))
    const headers = { 'Content-Type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(ROOT) }
    const logIn = `fetch('${url}/v1/basic_login', ${JSON.stringify(request)}).then(String, String)`
    expect(await page.evaluate(logIn)).toContain('Failed to fetch')
    expect(complaints.join()).toContain('blocked by CORS policy')
  })

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
