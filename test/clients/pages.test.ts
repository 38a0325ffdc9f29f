import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ROOT, SOLUTION } from '../../tools/local-servers/submitter.ts'
import { startJudgingService } from '../support/judging-service.ts'
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
    await expect.poll(readStatus, { interval: 200 }).toBe('ACCEPTED')

    expect([...origins]).toEqual([url])
    expect(complaints).toEqual([])
  })
})

describe.skipIf(noBrowser)('a front end on another origin', () => {
  it('reads nothing from a service that allows only other origins', async () => {
    const { url } = await startJudgingService({ CORS_ORIGINS: 'https://other.example.org' })
    const { page, complaints } = await openPage()
    await page.goto(await servePage('<!doctype html><title>Elsewhere</title>'))
    const headers = { 'Content-Type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify(ROOT) }
    const logIn = `fetch('${url}/v1/basic_login', ${JSON.stringify(request)}).then(String, String)`
    expect(await page.evaluate(logIn)).toContain('Failed to fetch')
    expect(complaints.join()).toContain('blocked by CORS policy')
  })
})
