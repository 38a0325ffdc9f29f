import { createServer, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { portOf } from '../../local-servers/free-ports.ts'
import { startChild } from '../child.ts'
import { summariseCost } from '../live-log.ts'
import type { LiveReport, LiveRequest } from '../live-process.ts'
import { writeLogTable, writeStreamsTable } from '../live-report.ts'
import { type StreamsResult, summariseDelays } from '../live-streams.ts'
import type { Slice } from '../measure.ts'

const submission = '00000000-0000-7000-b000-100000000001'

describe('the process that holds streams and feeds', () => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  /** A server that answers each request by its turn, and the process with its responses. */
  async function open(
    paths: readonly string[],
    answer: (response: ServerResponse, turn: number) => void,
    silentMs = 100,
  ) {
    let turn = 0
    const server = createServer((_, response) => answer(response, turn++)).listen(0, '127.0.0.1')
    closers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    )
    const url = new URL('../live-process.ts', import.meta.url).href
    const holder = startChild<LiveRequest, LiveReport | undefined>(url, [
      '--import',
      'tsx',
      '--conditions=source',
    ])
    closers.push(() => holder.end())
    await new Promise((resolve) => server.once('listening', resolve))
    const held = paths.map((path, n) => ({
      ...{ path, localAddress: `127.0.0.${n + 1}` },
      ...(path.includes('?') && { isReopened: true as const }),
    }))
    await holder.call({ kind: 'open', port: portOf(server.address()), held, atOnce: 1 })
    await holder.call({ kind: 'untilSilent', silentMs })
    return holder.call({ kind: 'report' })
  }

  it('notes an event that comes in parts once, and asks again after a 503', async () => {
    const report = await open(['/v1/events/1/changes'], (response, turn) => {
      if (turn === 0) return void response.writeHead(503).end()
      response.writeHead(200).flushHeaders()
      const rest = `data: {"submission_id":"${submission}","status":"ACCEPTED"}\n\n\r\n`
      const first = '40\r\nevent: ready\ndata: {}\n\nevent: submission\n'
      response.socket?.write(first, () => response.socket?.write(rest))
      return undefined
    })
    expect(report).toMatchObject({ events: { ready: 1, submission: 1 }, refused: 1, ended: 0 })
    expect([...(report?.submissions.keys() ?? [])]).toEqual([submission])
  })

  it('counts the lines of feeds, and those that have ended', async () => {
    const report = await open(['/event-feed', '/event-feed'], (response, turn) => {
      response.writeHead(200)
      response.write(`{"type":"contest","token":"a${turn}"}\n`)
      response.write('\n')
      response.end(`{"type":"state","token":"b${turn}"}\n`)
    })
    expect(report).toMatchObject({ lines: 4, ended: 2 })
  })

  it('opens a feed again after its end, from its last token', async () => {
    const asked: (string | undefined)[] = []
    const report = await open(
      ['/event-feed?since_token=a'],
      (response, turn) => {
        asked.push(response.req.url)
        response.writeHead(200)
        if (turn < 2) response.end(`{"type":"state","token":"b ${turn}"}\n`)
        else response.write('\n')
      },
      600,
    )
    expect(report).toMatchObject({ lines: 2, ended: 2 })
    expect(asked).toEqual(['a', 'b%200', 'b%201'].map((token) => `/event-feed?since_token=${token}`))
  })

  it('fails if a response has another status', async () => {
    const opening = open(['/v1/events/1/changes'], (response) => void response.writeHead(404).end())
    await expect(opening).rejects.toThrow('HTTP/1.1 404')
  })
})

describe('the figures of streams and of the change log', () => {
  it('count the time from the response to the event, never less than 0', () => {
    const answered = [1, 2, 3].map((n) => ({ submission: `s${n}`, sentMs: 0, storedMs: 10 * n }))
    const events = new Map([
      ['s1', 15],
      ['s2', 19],
    ])
    expect(summariseDelays(answered, events)).toMatchObject({
      ...{ verdicts: 3, missing: 1, delayMs: { p50: 0, p99: 5, most: 5 } },
      verdictMs: { p50: 20, p99: 30 },
    })
  })

  const slice = (requests: number, nodeCpuMs: number): Slice => ({
    ...{ requests, refused: 0, seconds: 1, bytes: 0, latenciesMs: Float64Array.of(1) },
    ...{ nodeCpuMs, postgresCpuMs: 0, generatorCpuMs: 0, residentMebibytes: 1 },
  })

  it('compare the slices of a round, and take the median of the rounds', () => {
    const pairs = [
      { logged: slice(90, 90), unlogged: slice(100, 90) },
      { logged: slice(50, 50), unlogged: slice(50, 40) },
      { logged: slice(190, 190), unlogged: slice(200, 180) },
    ]
    const cost = summariseCost('submit', pairs)
    expect(cost).toMatchObject({ rounds: 3, loggedPerSecond: 90, unloggedPerSecond: 100, ratio: 0.95 })
    expect(cost.ratioByCpu).toBeCloseTo(0.9)
    expect(writeLogTable([cost])).toContain('| 0.95 | yes |')
  })

  it('miss the target if an event is missing or a stream is too large', () => {
    const result: StreamsResult = {
      ...{ streams: 5000, openedSeconds: 1, idleMebibytes: 100, refused: 0, verdicts: 600, missing: 1 },
      kibPerStream: { opened: 59, loaded: 61 },
      ...{ delayMs: { p50: 1, p99: 499, most: 600 }, verdictMs: { p50: 1, p99: 2 } },
      ...{ quietShares: { service: 0.1, PostgreSQL: 0.1 }, shares: { service: 0.1, PostgreSQL: undefined } },
      ...{ generatorShare: 0.1, ended: 0, events: {}, bytes: 1, serviceLagMs: 1 },
    }
    const rows = writeStreamsTable(result)
    expect(rows).toContain('| verdict to event, p99 | 499 ms | below 500 ms | yes |')
    expect(rows).toContain('| verdicts without an event | 1 | 0 | no |')
    expect(rows).toContain('| memory per stream, after opening | 59.0 KiB | below 60 KiB | yes |')
    expect(rows).toContain('| memory per stream, after the verdicts | 61.0 KiB | below 60 KiB | no |')
  })
})
