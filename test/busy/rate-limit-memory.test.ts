import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createRateLimiter } from '../../src/http/routing/rate-limit.ts'
import { openListening } from '../support/bare-app.ts'
import { head, statusesOf } from '../support/raw-client.ts'

const MEBIBYTE = 2 ** 20

/** Measures the used heap after a garbage collection, in MiB. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  for (let round = 0; round < 3 && typeof collect === 'function'; round += 1) collect()
  return process.memoryUsage().heapUsed / MEBIBYTE
}

/** Each address is in its own network of 64 bits. */
const addressOf = (index: number) =>
  `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}::1`

/** Sends a login from each address, 200 at a time; counts the responses by status. */
async function sendFrom(port: number, first: number, count: number): Promise<Record<string, number>> {
  const socket = connect({ port, host: '127.0.0.1' }).setEncoding('latin1')
  const statuses: Record<string, number> = {}
  const batch = 200
  for (let sent = 0; sent < count; sent += batch) {
    const requests = Array.from({ length: batch }, (_, i) => {
      const forwarded = `X-Forwarded-For: made up, ${addressOf(first + sent + i)}`
      return head('POST /v1/basic_login HTTP/1.1', 'Host: a', forwarded, 'Content-Length: 0')
    })
    socket.write(requests.join(''))
    let received = ''
    // Every response is a refusal, which ends with its message.
    while (received.split('"message":').length <= batch) received += (await once(socket, 'data'))[0]
    for (const status of statusesOf(received)) statuses[status] = (statuses[status] ?? 0) + 1
  }
  socket.destroy()
  return statuses
}

it('stores less than 800 bytes for each address', async () => {
  const { port } = await openListening({ TRUSTED_PROXY: 'true', LOG_LEVEL: 'silent' })
  await sendFrom(port, 1_000_000, 2000)
  const before = measureHeap()
  expect(await sendFrom(port, 0, 20_000)).toEqual({ 400: 20_000 })
  expect(measureHeap() - before).toBeLessThan(16)
})

it('stores at most 100,000 buckets, and still limits the latest users and addresses', () => {
  const limiter = createRateLimiter({ nowMs: () => 0 })
  const rate = { perMinute: 1, burst: 1 }
  const take = (index: number) => limiter.take('POST /v1/submissions', addressOf(index), rate)
  for (let index = 0; index < 100_000; index += 1) take(index)
  const full = measureHeap()
  for (let index = 100_000; index < 300_000; index += 1) take(index)
  expect(measureHeap() - full).toBeLessThan(8)
  for (let index = 201_000; index < 300_000; index += 1000) expect(take(index)).toBe(false)
  expect(take(0)).toBe(true)
})
