import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPage } from './browser.ts'
import { findChromium } from './find-chromium.ts'
import { type JudgingService, ROOT, SOLUTION, startJudgingService } from './judging-service.ts'

interface Filling {
  readonly parameters?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Unfolds an operation of the page, under its group. */
async function unfold(page: Page, group: string, operation: string): Promise<Locator> {
  const block = page.locator(`#operations-${group}-${operation}`)
  if (!(await block.isVisible())) await page.locator(`#operations-tag-${group}`).click()
  await block.locator('.opblock-summary-control').click()
  return block
}

/** Fills an operation in. */
async function fill(block: Locator, { parameters = {}, body }: Filling): Promise<void> {
  for (const [name, value] of Object.entries(parameters))
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value)
  if (body !== undefined) await block.locator('textarea.body-param__text').fill(JSON.stringify(body))
}

/** Presses the operation's button and answers what the page then shows of the service's answer. */
async function execute(page: Page, block: Locator): Promise<{ status: string; body: string }> {
  const [response] = await Promise.all([page.waitForResponse(/\/v1\//), block.locator('.execute').click()])
  const shown = block.locator('.live-responses-table', {
    hasText: (await response.headerValue('x-request-id')) ?? '',
  })
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

describe('a person with nothing but a browser', () => {
  it.skipIf(findChromium() === undefined)(
    'can log in, submit a program and read its verdict on the page at /docs, which asks nobody but the service',
    { timeout: 60_000 },
    async () => {
      const { url, problemId, language } = await startJudgingService()
      const { page, origins, complaints } = await openPage()
      await page.goto(`${url}/docs`)

      const login = await unfold(page, 'Accounts', 'logIn')
      await fill(login, { body: { email: ROOT.email, password: ROOT.password } })
      const session = JSON.parse((await execute(page, login)).body)
      await authorize(page, session.token)

      const submitting = await unfold(page, 'Submissions', 'createSubmission')
      const program = { problem_id: problemId, language_id: language.id, source_code: SOLUTION }
      await fill(submitting, { body: { user_id: session.id, ...program } })
      const submitted = await execute(page, submitting)
      expect(submitted.status).toBe('201')
      const { id, status } = JSON.parse(submitted.body)
      expect(status).toBe('PENDING')

      const reading = await unfold(page, 'Submissions', 'readSubmission')
      await fill(reading, { parameters: { submission_id: id } })
      await expect
        .poll(async () => JSON.parse((await execute(page, reading)).body).status, {
          timeout: 30_000,
          interval: 200,
        })
        .toBe('ACCEPTED')

      expect([...origins]).toEqual([url])
      expect(complaints).toEqual([])
    },
  )
})

const example = new URL('../../docs/front-end.html', import.meta.url)

/** Serves the example on a port of its own, that is from another origin than the service's. */
async function serveExample(): Promise<string> {
  const html = await readFile(example)
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(html)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${Object(server.address()).port}`
}

/** Opens the example for a service and fills in its first form: a new account is registered, an old one logs in. */
async function enter(
  page: Page,
  origin: string,
  { url }: JudgingService,
  password = 'a password of Berta',
): Promise<void> {
  await page.goto(`${origin}/?service=${encodeURIComponent(url)}`)
  await page.locator('[name=name]').fill('Berta')
  await page.locator('[name=email]').fill('berta@example.org')
  await page.locator('[name=password]').fill(password)
  await page.getByRole('button', { name: 'Log in or register' }).click()
}

/** Sends a program once the second form is there, and waits for its verdict. */
async function submit(page: Page, service: JudgingService, program: string, verdict: string): Promise<void> {
  await page.locator('[name=problem_id]').selectOption({ value: String(service.problemId) })
  await page.locator('[name=language_id]').selectOption({ value: service.language.id })
  await page.locator('[name=source_code]').fill(program)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.locator('output', { hasText: verdict }).waitFor()
}

describe('the example front end, on a site of its own', () => {
  const test = it.skipIf(findChromium() === undefined)

  test('registers, submits and shows the verdicts', { timeout: 60_000 }, async () => {
    const service = await startJudgingService({ CORS_ORIGINS: '*' })
    const { page, origins, complaints } = await openPage()
    const origin = await serveExample()
    await enter(page, origin, service)
    await submit(page, service, 'console.log(0)', 'WRONG_ANSWER')
    await submit(page, service, SOLUTION, 'ACCEPTED')
    expect(origins).toEqual(new Set([origin, service.url]))
    // Chromium tells of the login that was tried first.
    expect(complaints).toEqual([expect.stringContaining('status of 401')])
  })

  test('goes on with the same account after a reload, but not with a wrong password', {
    timeout: 60_000,
  }, async () => {
    const service = await startJudgingService({ CORS_ORIGINS: '*' })
    const { page } = await openPage()
    const origin = await serveExample()
    await enter(page, origin, service)
    await page.locator('[name=problem_id]').waitFor()
    await enter(page, origin, service)
    await submit(page, service, SOLUTION, 'ACCEPTED')
    await enter(page, origin, service, 'another password')
    await page.locator('output', { hasText: /e-?mail/i }).waitFor()
    expect(await page.locator('[name=problem_id]').isVisible()).toBe(false)
  })

  test('goes on asking for the verdict after a broken connection and a 503', {
    timeout: 60_000,
  }, async () => {
    const service = await startJudgingService({ CORS_ORIGINS: '*' })
    const { page } = await openPage()
    await enter(page, await serveExample(), service)
    const troubles = [
      (route: Route) => route.abort('connectionreset'),
      (route: Route) => route.fulfill({ status: 503, body: '<h1>Away</h1>' }),
    ]
    await page.route('**/status', (route) => (troubles.shift() ?? ((next) => next.continue()))(route))
    await submit(page, service, SOLUTION, 'ACCEPTED')
    expect(troubles).toEqual([])
  })

  test('can read nothing of a service that names only other origins', { timeout: 60_000 }, async () => {
    const service = await startJudgingService({ CORS_ORIGINS: 'https://other.example.org' })
    const { page, complaints } = await openPage()
    await enter(page, await serveExample(), service)
    await page.locator('output', { hasText: 'Failed to fetch' }).waitFor()
    expect(await page.locator('[name=problem_id] option').count()).toBe(0)
    expect(complaints.join()).toContain('blocked by CORS policy')
  })
})
