import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { onePool, type PoolName, shareConnections } from '../../src/db/pools.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createPasswords } from '../../src/features/accounts/passwords.ts'
import { QUICK_BODY_BYTES } from '../../src/http/routing/pool-of.ts'
import { createRateLimiter } from '../../src/http/routing/rate-limit.ts'
import { createTokens } from '../../src/http/routing/tokens.ts'
import { type Service, startService } from '../../src/service.ts'
import { type ContractFetch, openContractFetch } from '../../verification/contract.ts'
import {
  JUDGE_PASSWORD,
  JWT_SIGNING_SECRET,
  openTestApp,
  PATIENT,
  WEB_BRIDGE_SECRET,
} from '../support/app.ts'
import { listen } from '../support/bare-app.ts'
import { databaseKind } from '../support/database.ts'
import { type Problem, type ProblemService, serviceWithProblem, submissionBody } from '../support/judging.ts'
import { lockRows } from '../support/row-lock.ts'

/** A record's answer comes within 2 s; the rest is what a loaded machine may take for itself. Of no other pool comes one before 11 s. */
const SOON_MS = 10_000

let judging: ProblemService
/** The service as it is started for production, over the same database. */
let service: Service
let contract: ContractFetch
let submissionId: string
/** What the service has logged, a JSON line each. */
const log: string[] = []

beforeAll(async () => {
  if (databaseKind === 'pglite') return
  judging = await serviceWithProblem()
  submissionId = await judging.submit(judging.user, {})
  const config = loadConfig({
    JWT_SIGNING_SECRET,
    JUDGE_PASSWORD,
    WEB_BRIDGE_SECRET,
    DATABASE_URL: judging.service.databaseUrl,
    HOST: '127.0.0.1',
    PORT: '0',
    CORS_ORIGINS: ORIGIN,
    RATE_LIMIT_ACCOUNTS: '1000000/1000000',
  })
  service = await startService(config, pino({ base: null }, { write: (line: string) => void log.push(line) }))
  contract = await openContractFetch(service.url)
})
afterAll(async () => {
  await service?.stop()
  await judging?.service.close()
  expect(contract?.violations ?? []).toEqual([])
})

const ORIGIN = 'https://judge.example.org'

interface Timed {
  readonly status: number
  readonly retryAfter: string | null
  /** The page whose scripts may read it. */
  readonly origin: string | null
  readonly code: string | undefined
  readonly ms: number
}

async function ask(path: string, init: RequestInit & { token?: string } = {}): Promise<Timed> {
  const startedMs = performance.now()
  const { token, ...rest } = init
  const headers = {
    'content-type': 'application/json',
    origin: ORIGIN,
    ...(token && { authorization: token }),
  }
  const response = await contract.fetch(new Request(service.url + path, { ...rest, headers }))
  const { code } = JSON.parse((await response.text()) || '{}')
  const retryAfter = response.headers.get('retry-after')
  const origin = response.headers.get('access-control-allow-origin')
  return { status: response.status, retryAfter, origin, code, ms: performance.now() - startedMs }
}

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))
const poll = () => ask(`/v1/submissions/${submissionId}/status`, { token: judging.user.token })

/** Which share was answered (200), and how long the half of those took. */
function summarize(asked: readonly Timed[]): { readonly answered: number; readonly medianMs: number } {
  const sorted = asked
    .filter(({ status }) => status === 200)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b)
  return {
    answered: sorted.length / asked.length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? Infinity,
  }
}

async function pollInTurn(count: number): Promise<ReturnType<typeof summarize>> {
  const polls: Timed[] = []
  for (let n = 0; n < count; n += 1) polls.push(await poll())
  return summarize(polls)
}

const POOL = shareConnections(10)

/** The application with connections shared out as in production, and all the time that a loaded machine may need. */
async function openPatientApp(): Promise<FastifyInstance> {
  const url = judging.service.databaseUrl ?? ''
  const open = (pool: PoolName) =>
    openPostgres({ url, poolSize: POOL[pool], statementTimeoutMs: 60_000, connectTimeoutMs: 60_000 })
  const databases = {
    quick: open('quick'),
    lists: open('lists'),
    bulk: open('bulk'),
    background: open('background'),
  }
  const close = async () => void (await Promise.all(Object.values(databases).map((one) => one.close())))
  const app = await buildApp({
    config: judging.service.config,
    pools: { ...databases, timeoutMs: PATIENT, close },
    languages: [],
    logger: pino({ level: 'silent' }),
    metrics: undefined,
    passwords: createPasswords(),
    tokens: judging.service.tokens,
    wakeRelay: () => {},
  })
  onTestFinished(async () => {
    await app.close()
    await close()
  })
  return app
}

/** A problem whose tests are too large for the quick pool. */
const createLargeProblem = () =>
  judging.createProblem({ test_cases: [{ input: 'x'.repeat(QUICK_BODY_BYTES), expected_output: 'y' }] })

const testsOf = ({ id }: Problem) => `/v1/problem_description/${id}/tests`

const lockTable = (table: string) =>
  lockRows(judging.service.databaseUrl ?? '', `lock table ${table} in access exclusive mode`, [])

describe.runIf(databaseKind === 'postgres')('a service that has too much to do', () => {
  it('answers 503 with Retry-After soon when statements do not end, and works again once they do', async () => {
    const lock = await lockTable('submissions')
    const answers = await times(50, poll).finally(() => lock.release())
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfter: '5', origin: ORIGIN })
      expect(answer.ms).toBeLessThan(SOON_MS)
    }
    expect(await poll()).toMatchObject({ status: 200 })
  })

  it('answers what is quick while what is large and whole lists wait', async () => {
    const app = await openPatientApp()
    // What is the same to several people is built once at a time; the events show each the own participation.
    const people = await times(20, () => judging.service.createPerson())
    const get = (url: string, authorization: string, tag = '') =>
      app.inject({ url, headers: { authorization, 'if-none-match': tag } })
    const path = testsOf(await createLargeProblem())
    const known = await get('/v1/public/events', judging.user.token)
    const knownTests = await get(path, judging.service.judgeToken)
    const lock = await lockTable('test_cases, event_participants')
    const waiting = [
      ...Array.from({ length: 20 }, () => get(path, judging.service.judgeToken)),
      ...people.map(({ token }) => get('/v1/public/events', token)),
    ]
    // Every connection of both pools.
    await lock.untilWaiting(POOL.lists + POOL.bulk)
    const polls = Promise.all([
      times(50, () => get(`/v1/submissions/${submissionId}/status`, judging.user.token)),
      times(50, () => get('/v1/public/events', judging.user.token, String(known.headers.etag))),
      times(50, () => get(path, judging.service.judgeToken, String(knownTests.headers.etag))),
    ])
    const [records, lists, tests] = await polls.finally(() => lock.release())
    expect(records.map(({ statusCode }) => statusCode)).toEqual(records.map(() => 200))
    const unchanged = [...lists, ...tests]
    expect(unchanged.map(({ statusCode }) => statusCode)).toEqual(unchanged.map(() => 304))
    const answers = await Promise.all(waiting)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  })

  it('answers small test sets while large bodies hold every connection of their pool', async () => {
    const app = await openPatientApp()
    const large = await createLargeProblem()
    const headers = { authorization: judging.admin.token, 'content-type': 'application/json' }
    const payload = JSON.stringify({ prompt: 'x'.repeat(2 * QUICK_BODY_BYTES) })
    const url = `/v1/problems/${large.id}`
    const row = 'select problems.id from problems where problems.id = $1 for update'
    const lock = await lockRows(judging.service.databaseUrl ?? '', row, [large.id])
    const writes = times(POOL.bulk, async () => app.inject({ method: 'PUT', url, headers, payload }))
    await lock.untilWaiting(POOL.bulk)
    let isLargeAnswered = false
    const read = async (problem: Problem) => app.inject({ url: testsOf(problem), headers })
    const largeRead = read(large).finally(() => {
      isLargeAnswered = true
    })
    const small = await times(20, () => read(judging.problem)).finally(async () => {
      expect(isLargeAnswered).toBe(false)
      await lock.release()
    })
    const answers = [...small, ...(await writes), await largeRead]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200))
  })

  it('may have stored what it refused (503): sent again with the same key it is there once', async () => {
    const hurried = await serviceWithProblem({}, { ...PATIENT, quick: 3000 })
    onTestFinished(() => hurried.service.close())
    const { service, user, problem, language } = hurried
    const headers = { 'idempotency-key': randomUUID() }
    const body = submissionBody(user, problem, language)
    const send = () =>
      service.send({ method: 'POST', url: '/v1/submissions', token: user.token, body, headers })
    const read = () =>
      service.database.query(unprepared<{ id: string }>('select submissions.id::text from submissions'))
    const lock = await lockRows(
      service.databaseUrl ?? '',
      'lock table submissions in access exclusive mode',
      [],
    )
    const refused = await send().finally(() => lock.release())
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    await expect.poll(read, { timeout: 10_000 }).toHaveLength(1)
    await expect.poll(async () => (await send()).status, { timeout: 20_000 }).toBe(201)
    expect(await read()).toEqual([{ id: (await send()).body.id }])
  }, 60_000)

  it('keeps answering polls during a flood of logins, of which it answers as many as it can hash and refuses the others (503)', async () => {
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'some password' })
    const logins: Timed[] = []
    const polls: Timed[] = []
    const calm = await pollInTurn(20)
    expect(calm.answered).toBeGreaterThan(0.5)
    const endMs = performance.now() + 4000
    log.length = 0
    const isFlooding = () => performance.now() < endMs
    const flood = times(120, async () => {
      while (isFlooding()) logins.push(await ask('/v1/basic_login', { method: 'POST', body }))
    })
    while (isFlooding()) polls.push(await poll())
    await flood
    for (const login of logins) {
      expect([401, 503]).toContain(login.status)
      if (login.status === 503) expect(login).toMatchObject({ code: 'UNAVAILABLE', retryAfter: '5' })
      expect(login.ms).toBeLessThan(SOON_MS)
    }
    const hashed = logins.filter(({ status }) => status === 401)
    expect(hashed.length).toBeGreaterThan(0)
    expect(logins.length - hashed.length).toBeGreaterThan(10)
    // Polls do not wait for connections behind the logins; the machine is the test's and the database's too.
    const flooded = summarize(polls)
    expect(flooded.answered).toBeGreaterThanOrEqual(calm.answered * 0.9)
    expect(flooded.medianMs).toBeLessThan(1000 + 20 * calm.medianMs)
    // That the service holds to its own bounds is no reason to wake anybody.
    const failures = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
    for (const { err } of failures) expect(err).toMatchObject({ type: 'DatabaseUnavailable' })
  }, 60_000)

  it('gives an admin’s request one time for the look-up and its answer', async () => {
    const app = await openTestApp({}, { ...PATIENT, quick: 4000 })
    onTestFinished(() => app.close())
    const admin = await app.createPerson({ admin: true })
    const lockIn = (table: string) =>
      lockRows(app.databaseUrl ?? '', `lock table ${table} in access exclusive mode`, [])
    const [users, languages] = [await lockIn('users'), await lockIn('languages')]
    const startedMs = performance.now()
    const body = { name: 'C', extension: 'c', version: '17' }
    const asked = app.send({ method: 'POST', url: '/v1/languages', token: admin.token, body })
    await users.untilWaiting(1)
    const spentMs = () => performance.now() - startedMs
    await expect.poll(spentMs, { timeout: 10_000 }).toBeGreaterThan(3000)
    await users.release()
    const answer = await asked
    const ms = spentMs()
    await languages.release()
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    expect(answer.headers).toMatchObject({ 'retry-after': '5' })
    // With a time for each it would be seven seconds.
    expect(ms).toBeLessThan(5500)
  }, 20_000)
})

const MEBIBYTE = 2 ** 20

/** What lives on the heap, without what is only not yet cleared away. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  for (let round = 0; round < 3 && typeof collect === 'function'; round += 1) collect()
  return process.memoryUsage().heapUsed / MEBIBYTE
}

const addressOf = (index: number) =>
  `2001:db8::${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}`

/** The application behind a proxy, with no log and no database: it costs a request what the limits of addresses cost. */
async function listenBehindProxy(): Promise<number> {
  const secrets = { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET }
  const config = loadConfig({ ...secrets, TRUSTED_PROXY: 'true', LOG_LEVEL: 'silent' })
  const url = 'postgres://nobody@127.0.0.1:1/none'
  const database = openPostgres({ url, poolSize: 1, statementTimeoutMs: 1000, connectTimeoutMs: 1000 })
  const app = await buildApp({
    config,
    pools: onePool(database),
    languages: [],
    logger: pino({ level: 'silent' }),
    passwords: createPasswords(),
    tokens: await createTokens({ secret: config.secrets.jwtSigning, ...config.tokens }),
    metrics: undefined,
    wakeRelay: () => {},
  })
  onTestFinished(async () => {
    await app.close()
    await database.close()
  })
  return listen(app)
}

/** Asks from each address in turn, several requests on their way at once; answers how many of each status came back. */
async function askFrom(port: number, first: number, count: number): Promise<Record<string, number>> {
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1')
  const statuses: Record<string, number> = {}
  const batch = 200
  for (let sent = 0; sent < count; sent += batch) {
    const requests = Array.from({ length: batch }, (_, i) => {
      const forwarded = `X-Forwarded-For: made up, ${addressOf(first + sent + i)}`
      return `POST /v1/basic_login HTTP/1.1\r\nHost: a\r\n${forwarded}\r\nContent-Length: 0\r\n\r\n`
    })
    socket.write(requests.join(''))
    let text = ''
    // Each answer is a refusal, which ends with its message.
    while (text.split('"message":').length <= batch) text += (await once(socket, 'data'))[0]
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3})/g))
      statuses[status] = (statuses[status] ?? 0) + 1
  }
  socket.destroy()
  return statuses
}

it('keeps less than 800 bytes for each distinct address, of which it keeps at most 100,000', async () => {
  const port = await listenBehindProxy()
  await askFrom(port, 1_000_000, 2000)
  const before = measureHeap()
  expect(await askFrom(port, 0, 30_000)).toEqual({ 400: 30_000 })
  expect(measureHeap() - before).toBeLessThan(24)
}, 180_000)

it('stays bounded in the buckets of any number of users and addresses, and limits the last of them', () => {
  const limiter = createRateLimiter()
  const rate = { perMinute: 1, burst: 1 }
  const take = (index: number) => limiter.take('POST /v1/submissions', addressOf(index), rate)
  for (let index = 0; index < 100_000; index += 1) take(index)
  const full = measureHeap()
  for (let index = 100_000; index < 500_000; index += 1) take(index)
  expect(measureHeap() - full).toBeLessThan(8)
  for (let index = 401_000; index < 500_000; index += 1000) expect(take(index)).toBe(false)
  expect(take(0)).toBe(true)
}, 180_000)
