import { createJudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import type { Page } from 'playwright-core'
import { ROOT } from '../../tools/local-servers/submitter.ts'
import { isoIn } from '../support/contests.ts'
import { startJudgingService } from '../support/judging-service.ts'

export const BERTA = { name: 'Berta', email: 'berta@example.org', password: 'a password of Berta' }

export const FORMULAS = `Double **the number** $n$, where $1 \\le n \\le 10^9$. It costs $5 and not $6.

$$\\sum_{i=1}^{n} \\frac{a_i}{2} = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}$$

| input | output |
| --- | ---: |
| 21 | 42 |
`

/** Starts the service with a worker and a contest that runs; Berta has an account. */
export async function startContest(fields: Record<string, unknown> = {}, prompt = FORMULAS) {
  const service = await startJudgingService()
  const admin = createJudgeClient({ baseUrl: service.url })
  const { token: adminToken } = await orThrow(admin.POST('/v1/basic_login', { body: ROOT }))
  admin.setToken(adminToken)
  const berta = createJudgeClient({ baseUrl: service.url })
  const account = await orThrow(berta.POST('/v1/basic_register', { body: BERTA }))
  berta.setToken(account.token)
  const problem = {
    ...{ title: 'Twice as much', identifier: 'double', prompt, difficulty: 'EASY' as const },
    test_cases: [
      { input: '21', expected_output: '42', hidden: false },
      { input: '4', expected_output: '8', hidden: true },
    ],
  }
  const { id: problem_id } = await orThrow(admin.POST('/v1/problems', { body: problem }))
  const body = {
    ...{ title: 'Class test', description: 'Bring a pencil.', start_time: isoIn(-10), end_time: isoIn(60) },
    ...{ teams: false, languages: [service.language.id], enforce_languages: true },
    problems: [{ problem_id, label: 'A', color: '#3cb44b' }],
    ...{ clarifications: 'staff' as const, ...fields },
  }
  const event = await orThrow(admin.POST('/v1/events', { body }))
  return {
    ...service,
    admin,
    adminToken,
    berta,
    account,
    eventId: event.id,
    pageUrl: `${service.url}/v1/contest/${event.id}`,
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
