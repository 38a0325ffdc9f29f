import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage } from './browser.ts'
import { findChromium } from './find-chromium.ts'
import { ROOT, SOLUTION, startJudgingService } from './judging-service.ts'

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
