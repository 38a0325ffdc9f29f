import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createJudgeClient } from '../src/client.ts'
import { NoAnswerError, orThrow } from '../src/errors.ts'
import { type WaitOptions, WaitTimeoutError, waitForRun, waitForVerdict } from '../src/waiting.ts'
import { type ListeningApp, openListeningApp, type Submitter } from './support/listening-app.ts'
import {
  answerBadGateway,
  answerWith,
  breakConnection,
  startTroubledServer,
  stayMute,
  type TroubledServer,
} from './support/troubled-server.ts'

let service: ListeningApp
let between: TroubledServer
let submitter: Submitter
beforeAll(async () => {
  service = await openListeningApp()
  between = await startTroubledServer(service.url)
  submitter = await service.createSubmitter()
})
afterEach(() => {
  expect(between.troubles.splice(0)).toEqual([])
})
afterAll(async () => {
  await between.close()
  await service.close()
})

const submit = async () =>
  (await orThrow(submitter.client.POST('/v1/submissions', { body: submitter.submission }))).id

const accept = (submission_id: string) =>
  orThrow(
    service.connect(service.judgeToken).PATCH('/v1/submissions/{submission_id}', {
      params: { path: { submission_id } },
      body: { status: 'ACCEPTED', stdout: 'well done' },
    }),
  )

const quick = { firstDelayMs: 1, maxDelayMs: 5 }

const waitBetween = (id: string, options: WaitOptions = {}) =>
  waitForVerdict(createJudgeClient({ baseUrl: between.url, token: submitter.token }), id, {
    ...quick,
    ...options,
  })

const unavailable = answerWith(
  503,
  { 'content-type': 'application/json', 'retry-after': '1' },
  JSON.stringify({ code: 'UNAVAILABLE', error: 'later', message: 'later' }),
)

describe('waiting for a verdict', () => {
  it('looks until there is one, tells of each look, and answers the whole submission', async () => {
    const id = await submit()
    const seen: [string, number][] = []
    const onProgress = (status: string, attempt: number) => {
      seen.push([status, attempt])
      if (attempt === 3) void accept(id)
    }
    const submission = await waitForVerdict(submitter.client, id, { ...quick, onProgress })
    expect(submission).toMatchObject({ id, status: 'ACCEPTED', stdout: 'well done', source_code: 'print(1)' })
    expect(seen.map(([, attempt]) => attempt)).toEqual(seen.map((_, index) => index + 1))
    expect(seen.slice(0, 3).map(([status]) => status)).toEqual(['PENDING', 'PENDING', 'PENDING'])
    expect(seen.at(-1)?.[0]).toBe('ACCEPTED')
  })

  it('tries again after a broken connection, the page of a proxy, and a request that nobody answers', async () => {
    const id = await submit()
    await accept(id)
    between.troubles.push(breakConnection, answerBadGateway, stayMute)
    const attempts: number[] = []
    const submission = await waitBetween(id, {
      requestTimeoutMs: 2000,
      onProgress: (_, attempt) => attempts.push(attempt),
    })
    expect(submission.status).toBe('ACCEPTED')
    expect(attempts).toEqual([4])
  })

  it('waits as long as Retry-After says', async () => {
    const id = await submit()
    await accept(id)
    between.troubles.push(unavailable)
    const startedAt = performance.now()
    await waitBetween(id)
    expect(performance.now() - startedAt).toBeGreaterThan(950)
  })

  it('looks less and less often, up to the longest pause', async () => {
    const id = await submit()
    const before = between.requests.length
    await expect(
      waitBetween(id, { firstDelayMs: 20, maxDelayMs: 200, timeoutMs: 1500 }),
    ).rejects.toBeInstanceOf(WaitTimeoutError)
    // Pauses of 20, 30, 45, 68, 101, 152, 200, 200 … ms, a quarter more or less.
    const looks = between.requests.length - before
    expect(looks).toBeGreaterThanOrEqual(3)
    expect(looks).toBeLessThanOrEqual(15)
  })

  it('ends at its time with what went wrong last, also while it waits for Retry-After', async () => {
    between.troubles.push(answerBadGateway, unavailable)
    const err = await waitBetween(await submit(), { timeoutMs: 900 }).catch((err: unknown) => err)
    expect(err).toBeInstanceOf(WaitTimeoutError)
    expect(err).toMatchObject({ cause: { status: 503, code: 'UNAVAILABLE' } })
  })

  it('ends at its time when a request is never answered', async () => {
    between.troubles.push(stayMute)
    const waiting = waitBetween(await submit(), { timeoutMs: 300 })
    await expect(waiting).rejects.toBeInstanceOf(WaitTimeoutError)
  })

  it('ends at its time whatever the garbage collector does meanwhile', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const collecting = setInterval(collect, 20)
    onTestFinished(() => clearInterval(collecting))
    between.troubles.push((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    }, stayMute)
    const waiting = waitBetween(await submit(), { timeoutMs: 1500, requestTimeoutMs: 300 })
    await expect(waiting).rejects.toBeInstanceOf(WaitTimeoutError)
  })

  it('ends at once with the reason of its signal, in a pause and in a request', async () => {
    const reason = new Error('the page was left')
    const id = await submit()
    const pausing = new AbortController()
    const onProgress = () => pausing.abort(reason)
    const slow = { firstDelayMs: 60_000, maxDelayMs: 60_000 }
    await expect(waitBetween(id, { ...slow, signal: pausing.signal, onProgress })).rejects.toBe(reason)
    const asking = new AbortController()
    between.troubles.push(() => asking.abort(reason))
    await expect(waitBetween(id, { signal: asking.signal })).rejects.toBe(reason)
    await expect(waitBetween(id, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('throws at once what trying again does not help', async () => {
    await expect(waitBetween(randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    between.troubles.push(answerWith(404, { 'content-type': 'text/html' }, '<p>No such host</p>'))
    await expect(waitBetween(await submit())).rejects.toBeInstanceOf(NoAnswerError)
  })
})

describe('waiting for a run', () => {
  const finish = (id: string) =>
    orThrow(
      service.connect(service.judgeToken).PATCH('/v1/input_submissions/{id}', {
        params: { path: { id } },
        body: { status: 'RUNTIME_ERROR', stdout: '', stderr: 'no', runtime: 0.5 },
      }),
    )

  it('answers it once it is finished', async () => {
    const { user_id, language_id } = submitter.submission
    const body = { user_id, language_id, source_code: 'x', stdin: '' }
    const id = await orThrow(submitter.client.POST('/v1/input_submissions', { body }))
    const onProgress = (status: string, attempt: number) => {
      if (attempt === 2) void finish(id)
      expect(['PENDING', 'RUNTIME_ERROR']).toContain(status)
    }
    expect(await waitForRun(submitter.client, id, { ...quick, onProgress })).toEqual({
      ...{ status: 'RUNTIME_ERROR', finished: true, stdout: '', stderr: 'no', runtime: 0.5 },
    })
  })

  it.each(['public', 'bench'] as const)('needs no login on the %s route', async (name) => {
    const client = service.connect()
    const body = { language_id: submitter.submission.language_id, source_code: 'x', stdin: '' }
    const id = await orThrow(client.POST(`/v1/${name}/input_submissions`, { body }))
    await finish(id)
    const run = await waitForRun(client, id, { ...quick, route: `/v1/${name}/input_submissions/{id}` })
    expect(run.status).toBe('RUNTIME_ERROR')
  })
})
