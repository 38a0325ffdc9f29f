import { beforeEach, describe, expect, expectTypeOf, it, type TestContext, vi } from 'vitest'
import type { STREAM_EVENTS } from '../../../src/features/live/change-streams/schemas.ts'
import { createJudgeClient } from '../src/client.ts'
import { orThrow } from '../src/errors.ts'
import { readEventStream } from '../src/event-stream.ts'
import { type WatchEvent, type WatchOptions, watch } from '../src/watch.ts'
import { type Submitter, useService } from './support/listening-app.ts'
import { pauses } from './support/pauses.ts'
import { neverRespond, refuseWith, respondBadGateway, type Trouble } from './support/troubled-server.ts'

vi.mock('../src/pause.ts', async (load) => (await import('./support/pauses.ts')).notePauses(load))

beforeEach(() => void pauses.splice(0))

const setup = await useService()

const refuse = (status: number, code: string, retryAfterSeconds: number) =>
  refuseWith(status, code, { 'retry-after': String(retryAfterSeconds) })

const holdBack: Trouble = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
}

const submit = async ({ client, submission }: Submitter) =>
  (await orThrow(client.POST('/v1/submissions', { body: submission }))).id

const quick = { firstDelayMs: 10, maxDelayMs: 20, pollMs: 30, retryStreamMs: 100 }

/** Watches through a proxy with these troubles, in the background. */
async function startWatch(context: TestContext, troubles: Trouble[], options: WatchOptions = {}) {
  const proxy = await setup.startProxy(context, ...troubles)
  const submitter = await setup.service.createSubmitter()
  const client = createJudgeClient({ baseUrl: proxy.url, token: submitter.token })
  const leaving = new AbortController()
  context.onTestFinished(() => leaving.abort())
  const events: WatchEvent[] = []
  const modes: string[] = []
  const ids: string[] = []
  const onMode = (mode: string) => modes.push(mode)
  const onPosition = (id: string) => ids.push(id)
  const run = async () => {
    const settings = { ...quick, onMode, onPosition, signal: leaving.signal, ...options }
    for await (const event of watch(client, settings)) events.push(event)
  }
  const ended = run().catch((err: unknown) => err)
  const until = (type: string, data = {}) =>
    expect.poll(() => events).toContainEqual({ type, data: expect.objectContaining(data) })
  return { proxy, submitter, events, modes, ids, until, leaving, ended }
}

describe('watch', () => {
  it('yields what the service tells, and goes on without a gap after the connection broke', async (context) => {
    const { proxy, submitter, events, modes, ids, until } = await startWatch(context, [])
    await until('ready')
    await until('submission', { submission_id: await submit(submitter), status: 'PENDING' })
    proxy.cut()
    await until('submission', { submission_id: await submit(submitter) })
    expect(events.filter(({ type }) => type === 'submission')).toHaveLength(2)
    expect(events.map(({ type }) => type)).not.toContain('reset')
    expect(modes).toEqual(['stream'])
    expect(new Set(ids).size).toBeGreaterThan(1)
  })

  it('yields the tags and the clock of an event', async (context) => {
    const admin = await setup.service.createPerson({ admin: true })
    const times = { start_time: new Date(Date.now() - 60_000), end_time: new Date(Date.now() + 60_000) }
    const event = await admin.post('/v1/events', { title: 'Contest', ...times, problems: [] }, 201)
    const { events, until } = await startWatch(context, [], { eventId: event.id })
    await until('ready', { clock: expect.objectContaining({ event_id: event.id, state: 'running' }) })
    await admin.put(`/v1/events/${event.id}`, { title: 'Renamed' })
    await until('tags', { problems: expect.any(String) })
    expect(events[0]).toMatchObject({ type: 'ready', data: { tags: { standings: expect.any(String) } } })
  })

  it.for([
    ['404', refuse(404, 'NOT_FOUND', 0)],
    ['503', refuse(503, 'UNAVAILABLE', 0)],
    ['a proxy that holds the stream back', holdBack],
    ['no response', neverRespond],
  ] as const)('polls while a stream is refused (%s), then streams again', async ([, trouble], context) => {
    const { events, modes, until, submitter } = await startWatch(context, [trouble], { readyTimeoutMs: 200 })
    await until('reset')
    await until('ready')
    expect(modes).toEqual(['polling', 'stream'])
    expect(events.filter(({ type }) => type === 'reset').length).toBeGreaterThan(1)
    await until('submission', { submission_id: await submit(submitter) })
  })

  it('polls until Retry-After has passed', async (context) => {
    const { until } = await startWatch(context, [refuse(429, 'RATE_LIMIT_EXCEEDED', 1)])
    await until('ready')
    // A second, in polls of 30 ms.
    expect(pauses.length).toBeGreaterThanOrEqual(Math.ceil(1000 / quick.pollMs))
  })

  it('connects again after failures of proxies, and if the connection is silent', async (context) => {
    const failed = await startWatch(context, [respondBadGateway, respondBadGateway])
    await failed.until('ready')
    expect(failed.events).toHaveLength(1)
    const { proxy, until, ids } = await startWatch(context, [], { silenceTimeoutMs: 100 })
    await until('ready')
    await expect.poll(() => proxy.requests.length).toBeGreaterThan(2)
    expect(ids.length).toBeGreaterThan(1)
  })

  it('throws the error when the token is no longer valid', async (context) => {
    const { submitter, until, ended } = await startWatch(context, [])
    await until('ready')
    await submitter.delete(`/v1/users/${submitter.id}`)
    expect(await ended).toMatchObject({ name: 'JudgeApiError', status: 401, code: 'ACCOUNT_DELETED' })
  })

  it('throws the reason of an aborted signal, during the stream and between polls', async (context) => {
    const reason = new Error('enough')
    for (const troubles of [[], [refuse(429, 'RATE_LIMIT_EXCEEDED', 60)]]) {
      const { events, leaving, ended } = await startWatch(context, troubles)
      await expect.poll(() => events.length).toBeGreaterThan(0)
      leaving.abort(reason)
      expect(await ended).toBe(reason)
    }
    await expect.poll(() => setup.service.app.changeStreams.size).toBe(0)
  })

  it('closes its connection when the loop over it ends', async () => {
    const { client } = await setup.service.createSubmitter()
    for await (const { type } of watch(client)) if (type === 'ready') break
    await expect.poll(() => setup.service.app.changeStreams.size).toBe(0)
  })

  it('has a type for each event of the service', () => {
    expectTypeOf<WatchEvent['type']>().toEqualTypeOf<keyof typeof STREAM_EVENTS>()
    expectTypeOf<Extract<WatchEvent, { type: 'submission' }>['data']['status']>().toBeString()
  })
})

describe('an event stream', () => {
  const read = async (text: string, pieceLength: number) => {
    const bytes = new TextEncoder().encode(text)
    const starts = Array.from({ length: Math.ceil(bytes.length / pieceLength) }, (_, i) => i * pieceLength)
    const body = ReadableStream.from(starts.map((start) => bytes.subarray(start, start + pieceLength)))
    const events: object[] = []
    const retries: number[] = []
    const notes = { onRetry: (ms: number) => retries.push(ms), onBytes: () => {} }
    for await (const event of readEventStream(body, notes)) events.push(event)
    return { events, retries }
  }

  it.each(['\n', '\r\n', '\r'])(
    'is read by the HTML standard, whole and byte by byte, with %j',
    async (end) => {
      const lines = [
        ...['\uFEFFevent: first', 'data: é', 'data:two', 'id: 1', 'retry: 70', ''],
        ...[': a comment', '', 'id: 2', '', 'data', '', 'retry: soon', 'unknown: x'],
        ...['data: {"a": "b: c"}', ''],
        ...['data: incomplete', ''],
      ]
      const expected = {
        events: [
          { name: 'first', data: 'é\ntwo', id: '1' },
          { name: 'message', data: undefined, id: '2' },
          { name: 'message', data: '', id: undefined },
          { name: 'message', data: '{"a": "b: c"}', id: undefined },
        ],
        retries: [70],
      }
      for (const pieceLength of [1, 2, 3, 7, 10_000])
        expect(await read(lines.join(end), pieceLength)).toEqual(expected)
    },
  )

  it('with an endless event ends with an error', async () => {
    await expect(read(`data: ${'x'.repeat(2 ** 21)}`, 1000)).rejects.toThrow('too long')
  })
})
