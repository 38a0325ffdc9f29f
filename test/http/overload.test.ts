import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { type Service, startService } from '../../src/service.ts'
import { type Judging, openJudging } from '../features/judging-support.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { lockRows } from '../support/row-lock.ts'

/** A record's answer comes within 2 s; the rest is what a loaded machine may take for itself. */
const SOON_MS = 4000

let judging: Judging
/** The service as it is started for production, over the same database. */
let service: Service
let submissionId: string

beforeAll(async () => {
  if (databaseKind === 'pglite') return
  judging = await openJudging()
  submissionId = await judging.submit(judging.user, {})
  const config = loadConfig({
    JWT_SIGNING_SECRET,
    JUDGE_PASSWORD,
    WEB_BRIDGE_SECRET,
    DATABASE_URL: judging.service.databaseUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    RATE_LIMIT_ACCOUNTS: '1000000/1000000',
  })
  service = await startService(config, pino({ level: 'silent' }))
})
afterAll(async () => {
  await service?.stop()
  await judging?.service.close()
})

interface Timed {
  readonly status: number
  readonly retryAfter: string | null
  readonly code: string | undefined
  readonly ms: number
}

async function ask(path: string, init: RequestInit & { token?: string } = {}): Promise<Timed> {
  const startedMs = performance.now()
  const { token, ...rest } = init
  const response = await fetch(service.url + path, {
    ...rest,
    headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
  })
  const { code } = JSON.parse((await response.text()) || '{}')
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, retryAfter, code, ms: performance.now() - startedMs }
}

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))
const poll = () => ask(`/v1/submissions/${submissionId}/status`, { token: judging.user.token })
const lockTable = (table: string) =>
  lockRows(judging.service.databaseUrl ?? '', `lock table ${table} in access exclusive mode`, [])

describe.runIf(databaseKind === 'postgres')('a service that has too much to do', () => {
  it('answers 503 with Retry-After soon when statements do not end, and works again once they do', async () => {
    const lock = await lockTable('submissions')
    const answers = await times(50, poll).finally(() => lock.release())
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfter: '5' })
      expect(answer.ms).toBeLessThan(SOON_MS)
    }
    expect(await poll()).toMatchObject({ status: 200 })
  })

  it('answers what is quick while what is large and whole lists wait', async () => {
    const lock = await lockTable('test_cases, event_participants')
    const path = `/v1/problem_description/${judging.problem.id}/tests`
    const large = times(20, () => ask(path, { token: judging.service.judgeToken }))
    const lists = times(20, () => ask('/v1/public/events', { token: judging.user.token }))
    const polls = await times(50, poll).finally(() => lock.release())
    expect(polls.map(({ status }) => status)).toEqual(polls.map(() => 200))
    for (const { status } of [...(await large), ...(await lists)]) expect([200, 503]).toContain(status)
  })

  it('keeps answering polls during a flood of logins, of which those that wait too long are 503', async () => {
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'some password' })
    const flood = times(400, () => ask('/v1/basic_login', { method: 'POST', body }))
    const polls: Timed[] = []
    let isOver = false
    const watching = flood.finally(() => {
      isOver = true
    })
    while (!isOver) polls.push(await poll())
    for (const { status, ms } of await watching) {
      expect([401, 503]).toContain(status)
      expect(ms).toBeLessThan(2 * SOON_MS)
    }
    // The machine is the test's and the database's too.
    const answered = polls.filter(({ status }) => status === 200)
    expect(answered.length).toBeGreaterThanOrEqual(polls.length * 0.9)
    const sorted = answered.map(({ ms }) => ms).sort((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(500)
  })
})
