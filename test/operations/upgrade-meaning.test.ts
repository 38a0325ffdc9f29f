import { readFileSync } from 'node:fs'
import { SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import { findWrongCells } from '../../verification/recount.ts'
import { JWT_SIGNING_SECRET, openTestApp, type TestApp } from '../support/app.ts'
import { messagesFor } from '../support/judging.ts'
import { createOldSchema } from '../support/old-schema.ts'
import { expectRecounted } from '../support/recount.ts'
import { refusal, unauthorized } from '../support/refusals.ts'

const OLD_ROWS = readFileSync(new URL('../support/old-rows.sql', import.meta.url), 'utf8')
const EVENT = 2
const idOf = (kind: string, n: number) => `00000000-0000-4000-${kind}000-${String(n).padStart(12, '0')}`
const [ONE, TWO, ROOT] = [idOf('8', 1), idOf('8', 2), idOf('8', 3)]
const [WRONG, RIGHT, PENDING] = [idOf('b', 2), idOf('b', 3), idOf('b', 5)]

/** Signs a token as a previous release did: `exp` and `ver` are newer. */
const signOldToken = (claims: { id: string; role: number; ver?: number }) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(JWT_SIGNING_SECRET))

const expired = refusal(401, 'TOKEN_EXPIRED')

const asOld = async (service: TestApp, id: string) => service.as(await signOldToken({ id, role: 0 }))

describe.each([7, 8])('the upgraded service on a database at version %i', (version) => {
  let service: TestApp

  beforeAll(async () => {
    service = await openTestApp()
    const { database } = service
    await createOldSchema(database, version)
    await database.transaction((tx) => tx.execute(OLD_ROWS))
    await migrate(database)
    return service.close
  })

  it('accepts the old password, and old tokens as D9 says', async () => {
    const email = 'one@example.org'
    const credentials = { email, password: 'an old password' }
    const { id, token } = await service.anonymous.post('/v1/basic_login', credentials)
    expect(id).toBe(ONE)
    await service.as(token).get(`/v1/submissions/${RIGHT}`, 200)
    await service.anonymous.post('/v1/basic_login', { email, password: 'another password' }, 401)

    const read = async (
      claims: Parameters<typeof signOldToken>[0],
      expected: Parameters<TestApp['judge']['get']>[1],
    ) => service.as(await signOldToken(claims)).get('/v1/user/notifications/count', expected)
    await read({ id: ONE, role: 0 }, 200)
    await read({ id: ONE, role: 0, ver: 1 }, 200)
    // Its password was reset after this token.
    await read({ id: TWO, role: 0, ver: 1 }, expired)
    await read({ id: TWO, role: 0, ver: 2 }, 200)
    await read({ id: NIL_UUID, role: 1 }, expired)
  })

  it('shows the old problem with its tests', async () => {
    const one = await asOld(service, ONE)
    const fields = { id: 1, user_id: ONE, title: 'Sum', prompt: 'Add.', accept_timeout: 1, memory_limit: 256 }
    expect(await one.get('/v1/problems/1')).toMatchObject(fields)
    const { test_cases } = await service.judge.get('/v1/problem_description/1/tests')
    expect(test_cases).toMatchObject([
      { input: 'ä', expected_output: '12', hidden: false },
      { input: '345', expected_output: 'x'.repeat(100_000), hidden: true },
    ])
  })

  it('shows the old submissions with their verdicts to their owner only', async () => {
    const one = await asOld(service, ONE)
    const wrong = await one.get(`/v1/submissions/${WRONG}`)
    expect(wrong).toMatchObject({
      ...{ status: 'WRONG_ANSWER', source_code: 'int main() {}', stdout: 'out', time_elapsed: 0.25 },
      ...{ user: { id: ONE }, language: { name: 'C' } },
      test_case_results: [{ passed: true, stdout: 'out' }, { passed: false }],
    })
    expect(wrong.failed_test_case_id).toBe(wrong.test_case_results[1].test_case_id)
    expect(await one.get(`/v1/submissions/${RIGHT}`)).toMatchObject({ status: 'ACCEPTED' })
    // The second verdict was replaced by the first one.
    expect(await one.get(`/v1/submissions/${idOf('b', 1)}/verdicts`)).toMatchObject([
      { status: 'ACCEPTED' },
      { status: 'WRONG_ANSWER', time_elapsed: 0.5, stdout: 'out', stderr: 'err' },
    ])
    await (await asOld(service, TWO)).get(`/v1/submissions/${RIGHT}`, unauthorized)
  })

  it('shows teams, questions, notifications and runs as before', async () => {
    const [one, two] = [await asOld(service, ONE), await asOld(service, TWO)]
    const team = { id: idOf('a', 2), name: 'Old team' }
    expect(await one.get(`/v1/events/${EVENT}/teams/me`)).toMatchObject(team)
    await two.get(`/v1/events/${EVENT}/teams/me`, 404)
    const texts = { question: 'How large?', answer: 'Small.' }
    const question = { id: idOf('d', 2), user_id: ONE, problem_id: 1, answered_by: ROOT, ...texts }
    expect(await one.get(`/v1/events/${EVENT}/questions`)).toMatchObject([question])
    const unread = (n: number) => ({
      ...{ notification_type: 'answer', is_read: false, question: { id: idOf('d', n) } },
    })
    const read = { notification_type: 'question', is_read: true, question: { id: idOf('d', 2) } }
    expect(await one.get('/v1/user/notifications')).toMatchObject([unread(2)])
    expect(await two.get('/v1/user/notifications')).toMatchObject([unread(1), read])
    const run = await service.anonymous.get(`/v1/public/input_submissions/${idOf('c', 1)}`)
    expect(run).toMatchObject({ status: 'PENDING' })
  })

  it('has standings that equal a recount of the submissions', async () => {
    expect(await findWrongCells(service.database, EVENT)).toEqual([])
    const cells = await expectRecounted(service, EVENT)
    expect(cells).toMatchObject([
      { user_id: ONE, problem_id: 1, attempts: 2, total_attempts: 2, minutes_to_solve: 20 },
      { user_id: TWO, problem_id: 1, attempts: 0, total_attempts: 1 },
      { user_id: TWO, problem_id: 2, attempts: 0, total_attempts: 1 },
    ])
    const { rows } = await (await asOld(service, ONE)).get(`/v1/events/${EVENT}/standings?by=user`)
    expect(rows).toMatchObject([
      { rank: 1, solved: 1, penalty: 40 },
      { solved: 0, penalty: 0 },
    ])
  })

  it('has queued the pending submission, and counts its verdict', async () => {
    const { judge } = service
    expect(await messagesFor(service, PENDING)).toEqual([{ kind: 'submission', judging: 1 }])
    const record = await judge.get(`/v1/submissions/${PENDING}`)
    expect(record).toMatchObject({ status: 'PENDING', judging: 1, source_code: 'int main() {}' })
    await judge.post(`/v1/submissions/${PENDING}/heartbeat`, { judging: 1 }, 204)
    const { test_cases } = await judge.get('/v1/problem_description/1/tests')
    const test_case_results = test_cases.map(({ id }: { id: string }) => ({ test_case_id: id, passed: true }))
    const verdict = { status: 'ACCEPTED', judging: 1, time_elapsed: 0.1, test_case_results }
    await judge.patch(`/v1/submissions/${PENDING}`, verdict, 204)
    const seen = await (await asOld(service, TWO)).get(`/v1/submissions/${PENDING}`)
    expect(seen).toMatchObject({ status: 'ACCEPTED', time_elapsed: 0.1 })
    expect(await findWrongCells(service.database, EVENT)).toEqual([])
    const cells = await expectRecounted(service, EVENT)
    expect(cells[1]).toMatchObject({ user_id: TWO, problem_id: 1, attempts: 1, minutes_to_solve: 30 })
  })
})
