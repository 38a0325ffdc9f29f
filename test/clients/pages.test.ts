import { readFile } from 'node:fs/promises'
import type { Locator, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ROOT, SOLUTION } from '../../tools/local-servers/submitter.ts'
import { type JudgingService, startJudgingService } from '../support/judging-service.ts'
import { openPage, servePage } from './browser.ts'
import { findChromium } from './find-chromium.ts'

const noBrowser = findChromium() === undefined

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

describe.skipIf(noBrowser)('the page at /docs', () => {
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
    await expect.poll(readStatus, { timeout: 30_000, interval: 200 }).toBe('ACCEPTED')

    expect([...origins]).toEqual([url])
    expect(complaints).toEqual([])
  })
})

const example = await readFile(new URL('../../docs/front-end.html', import.meta.url), 'utf8')

/** Opens the example for a service, and registers or logs in. */
async function enter(page: Page, origin: string, service: JudgingService, password = 'a password of Berta') {
  await page.goto(`${origin}/?service=${encodeURIComponent(service.url)}`)
  await page.locator('[name=name]').fill('Berta')
  await page.locator('[name=email]').fill('berta@example.org')
  await page.locator('[name=password]').fill(password)
  await page.getByRole('button', { name: 'Log in or register' }).click()
}

/** Submits a program once the second form is visible, and waits for its verdict. */
async function submit(page: Page, service: JudgingService, program: string, verdict: string): Promise<void> {
  await page.locator('[name=problem_id]').selectOption({ value: String(service.problemId) })
  await page.locator('[name=language_id]').selectOption({ value: service.language.id })
  await page.locator('[name=source_code]').fill(program)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.locator('output', { hasText: verdict }).waitFor()
}

describe.skipIf(noBrowser)('the example front end, on another origin', () => {
  it('registers, logs in again, and shows verdicts, also after a lost connection and a 503', async () => {
    const service = await startJudgingService({ CORS_ORIGINS: '*' })
    const { page, origins, complaints } = await openPage()
    const origin = await servePage(example)
    await enter(page, origin, service)
    await submit(page, service, 'console.log(0)', 'WRONG_ANSWER')
    await submit(page, service, SOLUTION, 'ACCEPTED')
    expect(origins).toEqual(new Set([origin, service.url]))
    // The page first tries to log in, and Chromium reports the refusal.
    expect(complaints).toEqual([expect.stringContaining('status of 401')])

    await enter(page, origin, service)
    const troubles = [
      (route: Route) => route.abort('connectionreset'),
      (route: Route) => route.fulfill({ status: 503, body: '<h1>Away</h1>' }),
    ]
    await page.route('**/status', (route) => (troubles.shift() ?? ((next) => next.continue()))(route))
    await submit(page, service, SOLUTION, 'ACCEPTED')
    expect(troubles).toEqual([])

    await enter(page, origin, service, 'another password')
    await page.locator('output', { hasText: /e-?mail/i }).waitFor()
    expect(await page.locator('[name=problem_id]').isVisible()).toBe(false)
  })

  it('reads nothing from a service that allows only other origins', async () => {
    const service = await startJudgingService({ CORS_ORIGINS: 'https://other.example.org' })
    const { page, complaints } = await openPage()
    await enter(page, await servePage(example), service)
    await page.locator('output', { hasText: 'Failed to fetch' }).waitFor()
    expect(await page.locator('[name=problem_id] option').count()).toBe(0)
    expect(complaints.join()).toContain('blocked by CORS policy')
  })
})
