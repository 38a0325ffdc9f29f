import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, type TestContext, vi } from 'vitest'
import { createJudgeClient } from '../src/client.ts'
import { NoResponseError, orThrow } from '../src/errors.ts'
import { type WaitOptions, WaitTimeoutError, waitForRun, waitForVerdict } from '../src/waiting.ts'
import { useService } from './support/listening-app.ts'
import { pauses } from './support/pauses.ts'
import * as troubles from './support/troubled-server.ts'

const { breakConnection, neverRespond, respondBadGateway, respondWith } = troubles

vi.setConfig({ maxConcurrency: 10 })

vi.mock('../src/pause.ts', async (load) => (await import('./support/pauses.ts')).notePauses(load))

const setup = await useService()
const submitter = await setup.service.createSubmitter()

const submit = async () =>
  (await orThrow(submitter.client.POST('/v1/submissions', { body: submitter.submission }))).id

const accept = (id: string) =>
  setup.service.judge.patch(`/v1/submissions/${id}`, { status: 'ACCEPTED', stdout: 'well done' })

const quick = { firstDelayMs: 1, maxDelayMs: 5 }

async function waitThroughProxy(context: TestContext, ...ofProxy: troubles.Trouble[]) {
  const proxy = await setup.startProxy(context, ...ofProxy)
  const client = createJudgeClient({ baseUrl: proxy.url, token: submitter.token })
  return (id: string, options: WaitOptions = {}) => waitForVerdict(client, id, { ...quick, ...options })
}

const unavailable = (retryAfterSeconds: number) =>
  troubles.refuseWith(503, 'UNAVAILABLE', { 'retry-after': String(retryAfterSeconds) })

describe.concurrent('waiting for a verdict', () => {
  it('polls until there is one, reports each poll, and returns the submission', async () => {
    const id = await submit()
    const seen: [string, number][] = []
    const onProgress = (status: string, number: number) => {
      seen.push([status, number])
      if (number === 3) void accept(id)
    }
    const submission = await waitForVerdict(submitter.client, id, { ...quick, onProgress })
    expect(submission).toMatchObject({ id, status: 'ACCEPTED', stdout: 'well done', source_code: 'print(1)' })
    expect(seen.map(([, number]) => number)).toEqual(seen.map((_, index) => index + 1))
    expect(seen.slice(0, 3).map(([status]) => status)).toEqual(['PENDING', 'PENDING', 'PENDING'])
    expect(seen.at(-1)?.[0]).toBe('ACCEPTED')
  })

  it('retries after a failed connection, a proxy’s error page and a request without a response', async (context) => {
    const wait = await waitThroughProxy(context, breakConnection, respondBadGateway, neverRespond)
    const id = await submit()
    await accept(id)
    const polls: number[] = []
    const onProgress = (_: string, number: number) => polls.push(number)
    expect(await wait(id, { requestTimeoutMs: 500, onProgress })).toMatchObject({ status: 'ACCEPTED' })
    expect(polls).toHaveLength(1)
    expect(polls[0]).toBeGreaterThanOrEqual(4)
  })

  it('waits for Retry-After', async (context) => {
    const wait = await waitThroughProxy(context, unavailable(1))
    const id = await submit()
    await accept(id)
    await wait(id)
    expect(pauses).toContain(1000)
  })

  it('polls after growing pauses, up to the longest pause', async (context) => {
    const wait = await waitThroughProxy(context)
    const enough = new AbortController()
    const onProgress = (_: string, number: number) => {
      if (number === 20) enough.abort()
    }
    const options = { firstDelayMs: 20, maxDelayMs: 50, signal: enough.signal, onProgress }
    await expect(wait(await submit(), options)).rejects.toThrow()
    // No other test has such pauses. Jitter is a quarter.
    const own = pauses.filter((ms) => ms >= 15 && ms <= 62.5)
    expect(own).toHaveLength(20)
    for (const [index, ms] of own.entries()) {
      const planned = Math.min(20 * 1.5 ** index, 50)
      expect(Math.abs(ms - planned)).toBeLessThanOrEqual(planned / 4)
    }
  })

  it('ends at its time limit with the last error, also while it waits for Retry-After or a response', async (context) => {
    const wait = await waitThroughProxy(context, respondBadGateway, unavailable(60))
    const err = await wait(await submit(), { timeoutMs: 1500 }).catch((err: unknown) => err)
    expect(err).toBeInstanceOf(WaitTimeoutError)
    expect(err).toMatchObject({ cause: { status: 503, code: 'UNAVAILABLE' } })
    const waitInVain = await waitThroughProxy(context, neverRespond)
    await expect(waitInVain(await submit(), { timeoutMs: 3000 })).rejects.toBeInstanceOf(WaitTimeoutError)
  })

  it('ends immediately with the reason of its signal, in a pause and in a request', async (context) => {
    const reason = new Error('the page was left')
    const requesting = new AbortController()
    const id = await submit()
    const waitAndAbort = await waitThroughProxy(context, () => requesting.abort(reason))
    await expect(waitAndAbort(id, { signal: requesting.signal })).rejects.toBe(reason)
    const wait = await waitThroughProxy(context)
    const pausing = new AbortController()
    const onProgress = () => pausing.abort(reason)
    const slow = { firstDelayMs: 600_000, maxDelayMs: 600_000, timeoutMs: 900_000 }
    await expect(wait(id, { ...slow, signal: pausing.signal, onProgress })).rejects.toBe(reason)
    await expect(wait(id, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('throws permanent errors immediately', async (context) => {
    const noSuchHost = respondWith(404, { 'content-type': 'text/html' }, '<p>No such host</p>')
    const wait = await waitThroughProxy(context, noSuchHost)
    await expect(wait(await submit())).rejects.toBeInstanceOf(NoResponseError)
    await expect(wait(randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
  })
})

describe.concurrent('waiting for a run', () => {
  const RESULT = { status: 'RUNTIME_ERROR', stdout: '', stderr: 'no', runtime: 0.5 }
  const finish = (id: string) => setup.service.judge.patch(`/v1/input_submissions/${id}`, RESULT)

  it('returns the run after it has finished', async () => {
    const { user_id, language_id } = submitter.submission
    const body = { user_id, language_id, source_code: 'x', stdin: '' }
    const id = await orThrow(submitter.client.POST('/v1/input_submissions', { body }))
    const onProgress = (status: string, number: number) => {
      if (number === 2) void finish(id)
      expect(['PENDING', 'RUNTIME_ERROR']).toContain(status)
    }
    const run = await waitForRun(submitter.client, id, { ...quick, onProgress })
    expect(run).toEqual({ ...RESULT, finished: true })
  })

  it.each(['public', 'bench'] as const)('needs no login on the %s route', async (name) => {
    const client = setup.service.connect()
    const body = { language_id: submitter.submission.language_id, source_code: 'x', stdin: '' }
    const id = await orThrow(client.POST(`/v1/${name}/input_submissions`, { body }))
    await finish(id)
    const run = await waitForRun(client, id, { ...quick, route: `/v1/${name}/input_submissions/{id}` })
    expect(run.status).toBe('RUNTIME_ERROR')
  })
})

it('a time limit ends a wait although the garbage collector runs', async (context) => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const collecting = setInterval(collect, 20)
  context.onTestFinished(() => clearInterval(collecting))
  const respondPartly: troubles.Trouble = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  }
  const wait = await waitThroughProxy(context, respondPartly, neverRespond)
  const waiting = wait(await submit(), { timeoutMs: 6000, requestTimeoutMs: 200 })
  await expect(waiting).rejects.toBeInstanceOf(WaitTimeoutError)
})
