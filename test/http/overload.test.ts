import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type PoolName, shareConnections } from '../../src/db/pools.ts'
import { unprepared } from '../../src/db/statement.ts'
import { QUICK_BODY_BYTES } from '../../src/http/routing/route.ts'
import { makeDependencies, openTestApp, PATIENT, type TestApp } from '../support/app.ts'
import { countConnections, listen } from '../support/bare-app.ts'
import { closeLater } from '../support/cleanup.ts'
import { createContest } from '../support/contests.ts'
import { databaseKind, openPatient } from '../support/database.ts'
import { type Problem, serviceWithProblem, submissionBody } from '../support/judging.ts'
import { expectUnavailable, startProductionService } from '../support/production-service.ts'
import { gate } from '../support/queue.ts'
import { head } from '../support/raw-client.ts'
import { refusal } from '../support/refusals.ts'
import { lockRows } from '../support/row-lock.ts'

const ORIGIN = 'https://judge.example.org'
const CONNECTIONS = shareConnections(10)

const unavailable = refusal(503, 'UNAVAILABLE')

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

const lockTable = (databaseUrl: string | undefined, tables: string) =>
  lockRows(databaseUrl ?? '', `lock table ${tables} in access exclusive mode`, [])

const testsOf = ({ id }: Problem) => `/v1/problem_description/${id}/tests`

/** Opens an application with the pools of production and time for a loaded machine. */
async function openWithPools(service: TestApp): Promise<FastifyInstance> {
  const open = (pool: PoolName) =>
    openPatient(service.databaseUrl ?? '', { poolSize: CONNECTIONS[pool], connectTimeoutMs: 60_000 })
  const [quick, lists, bulk, background] = [open('quick'), open('lists'), open('bulk'), open('background')]
  const databases = { quick, lists, bulk, background }
  const close = async () => void (await Promise.all(Object.values(databases).map((one) => one.close())))
  const pools = { ...databases, timeoutMs: PATIENT, close }
  const app = await buildApp(await makeDependencies(service.config, pools))
  closeLater(async () => {
    await app.close()
    await close()
  })
  return app
}

/** Runs neither tests nor set-up on the embedded database, which has one connection. */
const describeOnPostgres = databaseKind === 'postgres' ? describe : () => {}

describeOnPostgres('an overloaded service', async () => {
  const judging = await serviceWithProblem()
  const { service, admin, user, createProblem } = judging
  const submissionId = await judging.submit(user)
  const production = await startProductionService({
    DATABASE_URL: service.databaseUrl ?? '',
    CORS_ORIGINS: ORIGIN,
    RATE_LIMIT_ACCOUNTS: '1000000/1000000',
    RATE_LIMIT_FAILED_LOGINS: '1000000/1000000',
  })
  const statusPath = `/v1/submissions/${submissionId}/status`
  const poll = () => production.request('GET', statusPath, { token: user.token, headers: { origin: ORIGIN } })

  const createLargeProblem = () =>
    createProblem({ test_cases: [{ input: 'x'.repeat(QUICK_BODY_BYTES), expected_output: 'y' }] })

  it('responds 503 with Retry-After while statements hang, and works again afterwards', async () => {
    const lock = await lockTable(service.databaseUrl, 'submissions')
    for (const response of await times(50, poll).finally(() => lock.release())) {
      expectUnavailable(response)
      expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN)
    }
    expect(await poll()).toMatchObject({ status: 200 })
  })

  it('serves records and unchanged lists while whole lists, pages of long texts and large test sets wait', async () => {
    const app = await openWithPools(service)
    // Lists of contests are built per caller.
    const people = await times(20, () => service.createPerson())
    const get = (url: string, authorization: string, tag = '') =>
      app.inject({ url, headers: { authorization, 'if-none-match': tag } })
    const path = testsOf(await createLargeProblem())
    const events = await get('/v1/public/events', user.token)
    const tests = await get(path, service.judgeToken)
    const lock = await lockTable(service.databaseUrl, 'test_cases, event_participants, languages')
    const waiting = [
      ...Array.from({ length: 20 }, () => get(path, service.judgeToken)),
      ...people.map(({ token }) => get('/v1/public/events', token)),
      ...people.map(({ id, token }) => get(`/v1/user_submissions/${id}?limit=5`, token)),
    ]
    await lock.untilWaiting(CONNECTIONS.lists + CONNECTIONS.bulk)
    const [records, ...unchanged] = await Promise.all([
      times(50, () => get(statusPath, user.token)),
      times(50, () => get('/v1/public/events', user.token, String(events.headers.etag))),
      times(50, () => get(path, service.judgeToken, String(tests.headers.etag))),
    ]).finally(() => lock.release())
    for (const response of records) expect(response.statusCode).toBe(200)
    for (const response of unchanged.flat()) expect(response.statusCode).toBe(304)
    for (const response of await Promise.all(waiting)) expect(response.statusCode).toBe(200)
  })

  it('serves small problems and their tests while large ones hold all connections of their pool', async () => {
    const app = await openWithPools(service)
    const large = await createLargeProblem()
    const get = (path: string) => app.inject({ url: path, headers: { authorization: admin.token } })
    const problems = [large, judging.problem]
    const event = `/v1/events/${await createContest(judging, problems)}`
    const inEvent: { id: number }[] = await admin.get(`${event}/problems`)
    const urlsOf = (problem: Problem) => [
      testsOf(problem),
      `/v1/problems/${problem.id}`,
      `${event}/problems/${inEvent[problems.indexOf(problem)]?.id}`,
    ]
    const row = 'select problems.id from problems where problems.id = $1 for update'
    const lock = await lockRows(service.databaseUrl ?? '', row, [large.id])
    const headers = { authorization: admin.token, 'content-type': 'application/json' }
    const input = 'x'.repeat(2 * QUICK_BODY_BYTES)
    const payload = JSON.stringify({ test_cases: [{ input, expected_output: '1' }] })
    const url = `/v1/problems/${large.id}`
    const writes = times(CONNECTIONS.bulk, async () => app.inject({ method: 'PUT', url, headers, payload }))
    await lock.untilWaiting(CONNECTIONS.bulk)
    let isLargeSent = false
    const largeReads = Promise.all(urlsOf(large).map(get)).finally(() => {
      isLargeSent = true
    })
    const small = await times(10, () => Promise.all(urlsOf(judging.problem).map(get))).finally(async () => {
      expect(isLargeSent).toBe(false)
      await lock.release()
    })
    for (const response of [...small.flat(), ...(await writes), ...(await largeReads)])
      expect(response.statusCode).toBe(200)
    for (const response of await largeReads) expect(response.payload.length).toBeGreaterThan(QUICK_BODY_BYTES)
  })

  it('creates a submission once if it is sent again with its key after a 503', async () => {
    const hurried = await serviceWithProblem({}, { ...PATIENT, quick: 3000 })
    const { database, databaseUrl } = hurried.service
    const headers = { 'idempotency-key': randomUUID() }
    const body = submissionBody(hurried.user, hurried.problem, hurried.language)
    const send = () => hurried.user.send('POST', '/v1/submissions', body, headers)
    const read = () =>
      database.query(unprepared<{ id: string }>('select submissions.id::text from submissions'))
    const lock = await lockTable(databaseUrl, 'submissions')
    expect(await send().finally(() => lock.release())).toMatchObject(unavailable)
    await expect.poll(read).toHaveLength(1)
    await expect.poll(async () => (await send()).status).toBe(201)
    expect(await read()).toEqual([{ id: (await send()).body.id }])
  })

  it('limits the look-up of an admin and the statement together to the time of one', async () => {
    const [quick, lookUpMs] = [200_000, 100_000]
    const app = await openTestApp({}, { ...PATIENT, quick })
    const { post } = await app.createPerson({ admin: true })
    const users = await lockTable(app.databaseUrl, 'users')
    const now = performance.now.bind(performance)
    let aheadMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => void vi.restoreAllMocks())
    const sent = post('/v1/categories', { name: 'New' }, 201)
    await users.untilWaiting(1)
    aheadMs = lookUpMs
    await users.release()
    await sent
    // The look-up has the whole time, and the statement what is left of it.
    const limits = timers.mock.calls.map(([, ms = 0]) => ms)
    expect(limits.filter((ms) => ms > quick - lookUpMs)).toEqual([quick])
  })
})

it('starts no work for a request whose client has gone, or has got a 503', async () => {
  const { service, user, problem, language } = await serviceWithProblem({}, { ...PATIENT, quick: 1000 })
  const { app, database } = service
  const port = await listen(app)
  const held = gate()
  onTestFinished(held.open)
  // As many as the connections of the test's database, or more.
  let begun = 0
  const hold = () =>
    database.transaction(() => {
      begun += 1
      return held.passed
    })
  const holding = Array.from({ length: 8 }, hold)
  const waiting = () => database.usage().waiting
  await expect.poll(() => begun > 0 && begun + waiting()).toBe(8)
  const before = waiting()
  const body = JSON.stringify(submissionBody(user, problem, language))
  const socket = connect({ port, host: '127.0.0.1' })
  const headers = [`Authorization: ${user.token}`, 'Content-Type: application/json']
  socket.write(head('POST /v1/submissions HTTP/1.1', 'Host: a', ...headers, `Content-Length: ${body.length}`))
  socket.write(body)
  const late = user.send('POST', '/v1/submissions', JSON.parse(body))
  await expect.poll(waiting).toBe(before + 2)
  socket.destroy()
  expect(await late).toMatchObject(unavailable)
  await expect.poll(() => countConnections(app)).toBe(0)
  held.open()
  await Promise.all(holding)
  await expect.poll(waiting).toBe(0)
  expect(await database.query(unprepared('select from submissions'))).toEqual([])
  await user.post('/v1/submissions', JSON.parse(body), 201)
})
