import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openPage } from './browser.ts'
import { findChromium } from './find-chromium.ts'
import { type JudgingService, SOLUTION, startJudgingService } from './judging-service.ts'

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

/** Opens the example for a service and registers on it. */
async function register(page: Page, origin: string, { url }: JudgingService): Promise<void> {
  await page.goto(`${origin}/?service=${encodeURIComponent(url)}`)
  await page.locator('[name=name]').fill('Berta')
  await page.locator('[name=email]').fill('berta@example.org')
  await page.locator('[name=password]').fill('a password of Berta')
  await page.getByRole('button', { name: 'Register' }).click()
}

describe('the example front end, on a site of its own', () => {
  const test = it.skipIf(findChromium() === undefined)

  test('registers, submits and shows the verdicts', { timeout: 60_000 }, async () => {
    const service = await startJudgingService({ CORS_ORIGINS: '*' })
    const { page, origins, complaints } = await openPage()
    const origin = await serveExample()
    await register(page, origin, service)
    await page.locator('[name=problem_id]').selectOption({ value: String(service.problemId) })
    await page.locator('[name=language_id]').selectOption({ value: service.language.id })
    for (const [program, verdict] of [
      ['console.log(0)', 'WRONG_ANSWER'],
      [SOLUTION, 'ACCEPTED'],
    ] as const) {
      await page.locator('[name=source_code]').fill(program)
      await page.getByRole('button', { name: 'Submit' }).click()
      await page.locator('output', { hasText: verdict }).waitFor()
    }
    expect(origins).toEqual(new Set([origin, service.url]))
    expect(complaints).toEqual([])
  })

  test('can read nothing of a service that names only other origins', { timeout: 60_000 }, async () => {
    const service = await startJudgingService({ CORS_ORIGINS: 'https://other.example.org' })
    const { page, complaints } = await openPage()
    await register(page, await serveExample(), service)
    await page.locator('output', { hasText: 'Failed to fetch' }).waitFor()
    expect(await page.locator('[name=problem_id] option').count()).toBe(0)
    expect(complaints.join()).toContain('blocked by CORS policy')
  })
})
