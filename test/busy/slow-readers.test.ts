import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { TIMEOUTS } from '../../src/http/server/timeouts.ts'
import { writeCursor } from '../../src/lists/page.ts'
import { TURN_LIMITS } from '../../src/lists/turns.ts'
import { openTestApp } from '../support/app.ts'
import { countConnections, listen, openBareApp, TESTS_ROUTE } from '../support/bare-app.ts'
import { serviceWithProblem } from '../support/judging.ts'
import { untilWithoutTime } from '../support/until.ts'

const MEBIBYTE = 2 ** 20
const RETRY_AFTER = { 'retry-after': '5' }

/** Sends a GET on a connection of its own, and reads nothing of the body. */
async function openReader(port: number, path: string, authorization = '') {
  const sent = request({ port, path, host: '127.0.0.1', agent: false, headers: { authorization } })
  const leave = () => void sent.destroy()
  onTestFinished(leave)
  sent.on('error', () => {}).end()
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (response === undefined) throw new Error('a response must come')
  response.on('error', () => {})
  /** Reads the rest; resolves to its text, and fails if the connection ends before. */
  const readAll = () => text(response)
  return { response, readAll, leave }
}

const untilStatus = (status: number, read: () => ReturnType<typeof openReader>) =>
  expect.poll(async () => (await read()).response.statusCode).toBe(status)

/** Opens an application that serves 8 MiB at `TESTS_ROUTE`, and another body at `/other`. */
async function openWithBodies(bodyOf: () => string | Buffer, readMs = TIMEOUTS.readMs) {
  const variables = { RESPONSE_MEMORY_BYTES: String(16 * MEBIBYTE) }
  const { app } = await openBareApp(variables, { ...TIMEOUTS, readMs, checkMs: 50 })
  app.get(TESTS_ROUTE, async (_request, reply) => reply.header('etag', 'W/"a"').send(bodyOf()))
  return { app, port: await listen(app) }
}

it('refuses a long response while others fill the memory (503), but never a short one', async () => {
  const { port } = await openWithBodies(() => 'a'.repeat(8 * MEBIBYTE))
  const first = await openReader(port, TESTS_ROUTE)
  expect(first.response).toMatchObject({ statusCode: 200 })
  const second = await openReader(port, TESTS_ROUTE)
  expect(second.response).toMatchObject({ statusCode: 503, headers: RETRY_AFTER })
  expect(second.response.headers.etag).toBeUndefined()
  expect(JSON.parse(await second.readAll())).toMatchObject({ code: 'UNAVAILABLE' })
  expect((await openReader(port, '/health')).response).toMatchObject({ statusCode: 200 })
  expect(await first.readAll()).toHaveLength(8 * MEBIBYTE)
  await untilStatus(200, () => openReader(port, TESTS_ROUTE))
})

it('frees the memory of a response whose client has gone', async () => {
  const { port } = await openWithBodies(() => 'a'.repeat(8 * MEBIBYTE))
  const first = await openReader(port, TESTS_ROUTE)
  first.leave()
  await untilStatus(200, () => openReader(port, TESTS_ROUTE))
})

it('holds a body once for all its responses, and counts it once', async () => {
  const body = Buffer.alloc(8 * MEBIBYTE, 'a')
  const { port } = await openWithBodies(() => body)
  const before = process.memoryUsage()
  const readers = await Promise.all(Array.from({ length: 20 }, () => openReader(port, TESTS_ROUTE)))
  for (const { response } of readers) expect(response.statusCode).toBe(200)
  const { external, arrayBuffers } = process.memoryUsage()
  expect(external + arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(64 * MEBIBYTE)
  for (const { readAll } of readers) expect(await readAll()).toHaveLength(8 * MEBIBYTE)
})

it('sends a body that is longer than the whole memory, if it is alone', async () => {
  const { port } = await openWithBodies(() => 'a'.repeat(40 * MEBIBYTE))
  const reader = await openReader(port, TESTS_ROUTE)
  expect(reader.response).toMatchObject({ statusCode: 200 })
  expect(await reader.readAll()).toHaveLength(40 * MEBIBYTE)
})

it('closes connections that read less than 16 KiB/s, not those that read on', async () => {
  const body = Buffer.alloc(24 * MEBIBYTE, 'a')
  const { app, port } = await openWithBodies(() => body, 2000)
  const silent = await openReader(port, TESTS_ROUTE)
  const reader = await openReader(port, TESTS_ROUTE)
  expect(await countConnections(app)).toBe(2)
  let received = 0
  const timer = setInterval(() => {
    received += reader.response.read(256 * 1024)?.length ?? 0
  }, 50)
  onTestFinished(() => clearInterval(timer))
  await expect.poll(() => countConnections(app)).toBe(1)
  await expect(silent.readAll()).rejects.toThrow('aborted')
  await expect.poll(() => received).toBe(24 * MEBIBYTE)
})

it('an account reads two long lists at a time (503); others, and unchanged lists, do not wait', async () => {
  const judging = await serviceWithProblem({ LISTS_PER_ACCOUNT: '2' })
  const { service, user } = judging
  const other = await service.createPerson()
  const submission = await judging.submit(user)
  const lengthen = unprepared(`update submissions set source_code = repeat('x', $1::integer)
    where submissions.id = $2::uuid`)
  await service.database.query(lengthen, [12 * MEBIBYTE, submission])
  const port = await listen(service.app)
  const long = `/v1/user_submissions/${user.id}?limit=5`
  const problems = await user.send('GET', '/v1/problems')
  const readers = await Promise.all([1, 2].map(() => openReader(port, long, user.token)))
  for (const { response } of readers) expect(response.statusCode).toBe(200)
  const third = await openReader(port, long, user.token)
  expect(third.response).toMatchObject({ statusCode: 503, headers: RETRY_AFTER })
  const tag = { 'if-none-match': String(problems.headers.etag) }
  expect(await user.send('GET', '/v1/problems')).toMatchObject({ status: 200 })
  expect(await user.send('GET', '/v1/problems', undefined, tag)).toMatchObject({ status: 304 })
  expect(await user.send('GET', `/v1/submissions/${submission}/status`)).toMatchObject({ status: 200 })
  expect(await other.send('GET', `/v1/user_submissions/${other.id}`)).toMatchObject({ status: 200 })
  const waiting = openReader(port, long, user.token)
  for (const { readAll } of readers) await readAll()
  expect((await waiting).response.statusCode).toBe(200)
})

it('counts callers without a token by their network', async () => {
  const service = await openTestApp({ TRUSTED_PROXY: 'true' })
  const turns = vi.spyOn(service.app.lists.turns, 'enter')
  const after = writeCursor(JSON.stringify(['0', 'ffffffff-ffff-4fff-bfff-ffffffffffff']))
  const from = (address: string, query: string) =>
    service.anonymous.send('GET', `/v1/languages${query}`, undefined, { 'x-forwarded-for': address })
  await from('192.0.2.1', '')
  await from('192.0.2.2', '')
  await from('2001:db8::2', `?after=${after}`)
  // The list for the second address comes from the cache.
  expect(turns.mock.calls.map(([account]) => account)).toEqual(['192.0.2.1', '2001:db8::/64'])
  await expect.poll(() => service.app.lists.turns.size).toBe(0)
})

it('lets a bounded number of requests of an account wait for a bounded time', async () => {
  const { app } = await openBareApp({ LISTS_PER_ACCOUNT: '2' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let finish = () => {}
  const finished = new Promise<string>((resolve) => {
    finish = () => resolve('built')
  })
  let builds = 0
  app.get(TESTS_ROUTE, async ({ server, query, response }) => {
    const turn = await server.lists.turns.enter(String(query), response)
    return turn.build(() => {
      builds += 1
      return finished
    })
  })
  const statuses: number[] = []
  const send = async (count: number) => {
    const sent = Array.from({ length: count }, () => app.inject(TESTS_ROUTE))
    return Promise.all(sent.map((one) => one.then(({ statusCode }) => statuses.push(statusCode))))
  }
  const waiting = send(2 + TURN_LIMITS.waiting)
  await untilWithoutTime(() => builds === 2)
  await send(3)
  await vi.advanceTimersByTimeAsync(TURN_LIMITS.waitMs - 1)
  expect(statuses).toEqual([503, 503, 503])
  await vi.advanceTimersByTimeAsync(1)
  await untilWithoutTime(() => statuses.length === 3 + TURN_LIMITS.waiting)
  expect(new Set(statuses)).toEqual(new Set([503]))
  finish()
  await waiting
  expect(statuses.slice(-2)).toEqual([200, 200])
  expect(builds).toBe(2)
  await send(10)
  expect(statuses.slice(-10)).toEqual(Array(10).fill(200))
  await expect.poll(() => app.lists.turns.size).toBe(0)
})
