import { createServer } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { portOf } from '../../local-servers/free-ports.ts'
import { startChild } from '../child.ts'
import { summariseDelays } from '../live.ts'
import type { LiveReport, LiveRequest } from '../live-process.ts'

const submission = '00000000-0000-7000-b000-100000000001'
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

it('notes an event that comes in parts once, asks again after a 503, and counts ended streams', async () => {
  let turn = 0
  const server = createServer((_, response) => {
    turn += 1
    if (turn === 1) return void response.writeHead(503).end()
    if (turn === 4) return void response.writeHead(404).end()
    if (turn === 3) return void response.writeHead(200).end()
    const rest = `data: {"submission_id":"${submission}","status":"ACCEPTED"}\n\n`
    response.write('event: ready\ndata: {}\n\nevent: submission\n', () => response.write(rest))
    return undefined
  })
  closers.push(() => server.close())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = new URL('../live-process.ts', import.meta.url).href
  const holder = startChild<LiveRequest, LiveReport>(url, ['--import', 'tsx', '--conditions=source'])
  closers.push(() => holder.end())
  const port = portOf(server.address())
  const held = { path: '/v1/events/1/changes', token: 'a', localAddress: '127.0.0.1' }
  await holder.call({ port, open: [held, held] })
  await expect
    .poll(async () => {
      const { submissions, ...counts } = await holder.call({ port })
      return { ...counts, ids: [...submissions.keys()] }
    })
    .toEqual({ refused: 1, ended: 1, ids: [submission] })
  await expect(holder.call({ port, open: [held] })).rejects.toThrow('changes: 404')
})

it('counts the time from the response to the event, never less than 0', () => {
  const answered = [1, 2, 3].map((n) => ({ submission: `s${n}`, storedMs: 10 * n }))
  const events = new Map([
    ['s1', 15],
    ['s2', 19],
  ])
  const delayMs = { p50: 0, p99: 5, most: 5 }
  expect(summariseDelays(answered, events)).toEqual({ verdicts: 3, missing: 1, delayMs })
})
