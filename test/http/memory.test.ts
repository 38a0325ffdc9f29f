import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { onePool } from '../../src/db/pools.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { createPasswords } from '../../src/features/accounts/passwords.ts'
import { createRateLimiter } from '../../src/http/routing/rate-limit.ts'
import { createTokens } from '../../src/http/routing/tokens.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { listen } from './bare-app.ts'

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
    search: undefined,
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

it('stays bounded under 100,000 distinct addresses, and does not grow under the next 50,000', async () => {
  const port = await listenBehindProxy()
  await askFrom(port, 1_000_000, 2000)
  const before = measureHeap()
  await askFrom(port, 0, 100_000)
  const full = measureHeap()
  expect(await askFrom(port, 200_000, 50_000)).toEqual({ 400: 50_000 })
  const after = measureHeap()
  expect(full - before).toBeLessThan(64)
  expect(after - full).toBeLessThan(8)
}, 120_000)

it('stays bounded in the buckets of any number of users, too, the last of whom are still held to their rate', () => {
  const limiter = createRateLimiter()
  const rate = { perMinute: 1, burst: 1 }
  const take = (index: number) => limiter.take('POST /v1/submissions', addressOf(index), rate)
  for (let index = 0; index < 100_000; index += 1) take(index)
  const full = measureHeap()
  for (let index = 100_000; index < 500_000; index += 1) take(index)
  expect(measureHeap() - full).toBeLessThan(8)
  for (let index = 401_000; index < 500_000; index += 1000) expect(take(index)).toBe(false)
  expect(take(0)).toBe(true)
}, 60_000)
