import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { findUntold } from '../live-readers.ts'
import { StatusReader } from '../live-streams.ts'

const stored = [
  { id: 'a', user_id: 'me', status: 'ACCEPTED', is_of_event: true },
  { id: 'b', user_id: 'me', status: 'WRONG_ANSWER', is_of_event: false },
  { id: 'c', user_id: 'other', status: 'ACCEPTED', is_of_event: true },
]

/** What is wrong with a stream of the user `me` that has told this. */
function untoldOf(told: Readonly<Record<string, string>>, isOfEvent = false): string[] {
  const reader = { statuses: new Map(Object.entries(told)) }
  return findUntold(stored, [{ name: 'the stream', userId: 'me', isOfEvent, reader }])
}

it('finds a submission that a stream has not told, or with an earlier status', () => {
  expect(untoldOf({ a: 'ACCEPTED', b: 'WRONG_ANSWER' })).toEqual([])
  expect(untoldOf({ a: 'ACCEPTED' })).toEqual([
    'the stream has not told 1 of 2: b is WRONG_ANSWER, told nothing',
  ])
  expect(untoldOf({ a: 'PENDING', b: 'WRONG_ANSWER' })).toEqual([
    'the stream has not told 1 of 2: a is ACCEPTED, told PENDING',
  ])
})

it('expects in a stream of an event only its submissions', () => {
  expect(untoldOf({ a: 'ACCEPTED' }, true)).toEqual([])
})

it('a client of a stream goes on from its last id after a lost connection, and counts resets', async () => {
  const lastIds: unknown[] = []
  const server = createServer((request, response) => {
    if (request.url !== '/') return response.end('[{"id":"b","status":"READ"}]')
    lastIds.push(request.headers['last-event-id'])
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const status = `{"submission_id":"a","status":"S${lastIds.length}"}`
    const first = lastIds.length === 1 ? 'event: ready\ndata: {}\n\n' : 'event: reset\ndata: {}\n\n'
    response.write(`${first}event: submission\ndata: ${status}\nid: ${lastIds.length}\n\n`)
    if (lastIds.length === 1) setTimeout(() => response.destroy(), 50)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const options = {
    urls: [`http://127.0.0.1:${port}`],
    path: '/',
    token: 'x',
    userId: 'somebody',
    silentMs: 10_000,
  }
  const reader = new StatusReader(options)
  const running = reader.run()
  await expect.poll(() => reader.statuses.get('a')).toBe('S2')
  reader.close()
  await running
  server.close()
  expect(lastIds).toEqual([undefined, '1'])
  expect(reader.statuses.get('b')).toBe('READ')
  expect(reader).toMatchObject({ isReady: true, resets: 1, connections: 2 })
})
