import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ROOT } from '../../tools/local-servers/submitter.ts'
import { isoIn } from '../support/contests.ts'
import { startJudgingService } from '../support/judging-service.ts'
import { until } from '../support/until.ts'

export const BERTA = { name: 'Berta', email: 'berta@example.org', password: 'a password of Berta' }

export const FORMULAS = `Double **the number** $n$, where $1 \\le n \\le 10^9$. It costs $5 and not $6.

$$\\sum_{i=1}^{n} \\frac{a_i}{2} = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}$$

| input | output |
| --- | ---: |
| 21 | 42 |
`

/** Sends requests below /v1 with a token, again while the service is busy. All are accepted. */
function openCaller(url: string, token: string) {
  return async (method: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>> => {
    const headers = { authorization: token, 'content-type': 'application/json' }
    const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) }
    const response = await until(async () => {
      const tried = await fetch(`${url}/v1${path}`, request)
      expect(tried.status, 'a busy service').not.toBe(503)
      return tried
    }, 200)
    const text = await response.text()
    expect(response.ok, `${method} ${path}: ${text}`).toBe(true)
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** Starts the service with a worker and a contest that runs; Berta has an account. */
export async function startContest(fields: Record<string, unknown> = {}, prompt = FORMULAS) {
  const service = await startJudgingService()
  const { url } = service
  const anonymous = openCaller(url, '')
  const { token: adminToken } = await anonymous('POST', '/basic_login', ROOT)
  const admin = openCaller(url, adminToken)
  const account = await anonymous('POST', '/basic_register', BERTA)
  const { id: problem_id } = await admin('POST', '/problems', {
    ...{ title: 'Twice as much', identifier: 'double', prompt, difficulty: 'EASY' },
    test_cases: [
      { input: '21', expected_output: '42', hidden: false },
      { input: '4', expected_output: '8', hidden: true },
    ],
  })
  const { id: eventId } = await admin('POST', '/events', {
    ...{ title: 'Class test', description: 'Bring a pencil.', start_time: isoIn(-10), end_time: isoIn(60) },
    ...{ teams: false, languages: [service.language.id], enforce_languages: true },
    problems: [{ problem_id, label: 'A', color: '#3cb44b' }],
    ...{ clarifications: 'staff', ...fields },
  })
  return {
    ...{ ...service, anonymous, admin, adminToken, berta: openCaller(url, account.token), account, eventId },
    event: `/events/${eventId}`,
    pageUrl: `${url}/v1/contest/${eventId}`,
  }
}

/** Logs in on the page of a contest. */
export async function logIn(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string } = BERTA,
): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Registers on the page; before that, the problems respond with 404. */
export async function takePart(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Take part' })
  await button.click()
  await button.waitFor({ state: 'detached' })
}
