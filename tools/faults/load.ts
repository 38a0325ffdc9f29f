import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { startDeadline } from '@judge-data-layer/client/deadline'
import { zipFiles } from '../local-servers/zip.ts'
import { makeProgram, makeText, type Program } from './programs.ts'
import type { World } from './world.ts'

export interface Submitted extends Program {
  /** Repeats the request with an Idempotency-Key until it is acknowledged. Others send it once. */
  readonly isRetrying: boolean
  tries: number
  /** The time of the first try. */
  readonly sentAtMs: number
  id?: string
  acknowledgedAtMs?: number
  /** A rejection of the valid request, which is an error of the service. */
  refusal?: string
}

/** A shadow judging of the load, which is requested once. */
export interface Shadow {
  id?: string
  /** A rejection of the valid request. */
  refusal?: string
}

interface Service {
  readonly url: string
  readonly client: JudgeClient
}

interface LoadOptions {
  readonly urls: readonly string[]
  readonly world: World
  readonly perSecond: number
  /** Whether the programs run; the instant worker does not run them. */
  readonly isJudged: boolean
  readonly slow?: number
  /** Repeating clients submit to the event through the Contest API: in a transaction. */
  readonly usesContestApi?: boolean
  /** Repeating clients wait for as long as a response asks, as the client package does. */
  readonly waitsAsAsked?: boolean
}

export type Load = ReturnType<typeof startLoad>

const TRY_TIMEOUT_MS = 5000
const SUBMISSIONS_PER_SHADOW = 10
const PAUSE_MS = { first: 250, longest: 2000 }

/** Submits at a constant rate through each address in turn, without waiting for responses. */
export function startLoad(options: LoadOptions) {
  const services = options.urls.map((url) => ({ url, client: createJudgeClient({ baseUrl: url }) }))
  const submitted: Submitted[] = []
  const shadows: Shadow[] = []
  const unfinished = new Set<Promise<void>>()
  const keep = (work: Promise<void>) => {
    unfinished.add(work)
    void work.finally(() => unfinished.delete(work))
    return work
  }
  const requestNext = () => {
    const shadow: Shadow = {}
    shadows.push(shadow)
    const service = services[shadows.length % services.length]
    if (service === undefined) throw new Error('the load has no service')
    return keep(requestShadow(service.client, options, submitted, shadow))
  }
  const giveUp = new AbortController()
  const startedAtMs = performance.now()
  const sendNext = () => {
    const number = submitted.length
    const verdict = number % 3 === 0 ? 'WRONG_ANSWER' : 'ACCEPTED'
    const isRetrying = number % 2 === 0
    const sentAtMs = performance.now()
    const submission: Submitted = { marker: randomUUID(), verdict, isRetrying, tries: 0, sentAtMs }
    submitted.push(submission)
    const request = makeRequest(options, number, submission)
    const run = { services, first: number, waitsAsAsked: options.waitsAsAsked, giveUp: giveUp.signal }
    keep(submit(run, request, submission))
    if (number % SUBMISSIONS_PER_SHADOW === SUBMISSIONS_PER_SHADOW - 1) requestNext()
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAtMs) * options.perSecond) / 1000)
    while (submitted.length < due) sendNext()
  }, 10)
  return {
    submitted,
    shadows,
    requestShadows: async (count: number) => {
      for (let n = 0; n < count; n += 1) await requestNext()
    },
    acknowledged: () => submitted.filter(({ id }) => id !== undefined),
    /** Sends no new submissions. Waits for the others, for repeating clients at most `withinMs`. */
    stop: async (withinMs: number) => {
      clearInterval(timer)
      const deadline = setTimeout(() => giveUp.abort(), withinMs)
      await Promise.all(unfinished)
      clearTimeout(deadline)
    },
  }
}

/** The person who sends the submission of this number. */
export function personOf(people: World['people'], number: number): World['people'][number] {
  const person = people[number % people.length]
  if (person === undefined) throw new Error('the load has no people')
  return person
}

function makeRequest(
  { world: { people, targets, languageId }, isJudged, slow = 0, usesContestApi = false }: LoadOptions,
  number: number,
  program: Submitted,
) {
  const person = personOf(people, number)
  const target = targets[Math.floor(number / people.length + number) % targets.length]
  if (target === undefined) throw new Error('the load has no problems')
  const source_code = isJudged ? makeProgram(program) : makeText(program.marker, number < slow)
  const body = { ...target, user_id: person.id, language_id: languageId, source_code }
  const isForContestApi = usesContestApi && program.isRetrying && 'event_id' in target
  return { token: person.token, body, isForContestApi }
}

/** Judges the newest acknowledged submission again, which may be in the event. */
async function requestShadow(
  client: JudgeClient,
  { world: { adminToken } }: LoadOptions,
  submitted: readonly Submitted[],
  shadow: Shadow,
): Promise<void> {
  const submission_id = submitted.findLast(({ id }) => id !== undefined)?.id
  if (submission_id === undefined) return
  const request = { body: { submission_id }, headers: { authorization: adminToken } }
  const send = (signal: AbortSignal) => client.POST('/v1/admin/shadow_judgings', { ...request, signal })
  const { data, error, response } = (await inTime(TRY_TIMEOUT_MS, send)) ?? {}
  if (data !== undefined) shadow.id = data.id
  else if (response && isWrong(response)) shadow.refusal = `${response.status} ${error?.message}`
}

/** Undefined without a response in time: what was asked for may or may not be done. */
export async function inTime<T>(ms: number, send: (signal: AbortSignal) => Promise<T>) {
  const deadline = startDeadline(ms)
  return send(deadline.signal)
    .catch(() => undefined)
    .finally(() => deadline.close())
}

type Request = ReturnType<typeof makeRequest>

interface Sending {
  readonly services: readonly Service[]
  /** The place of the service that gets the first try. */
  readonly first: number
  readonly waitsAsAsked: boolean | undefined
  readonly giveUp: AbortSignal
}

async function submit(
  { services, first, waitsAsAsked, giveUp }: Sending,
  request: Request,
  submission: Submitted,
): Promise<void> {
  do {
    const service = services[(first + submission.tries) % services.length]
    submission.tries += 1
    const askedMs = service && (await tryOnce(service, request, submission))
    if (submission.id !== undefined || submission.refusal !== undefined) return
    const pauseMs = Math.min(PAUSE_MS.longest, PAUSE_MS.first * 2 ** (submission.tries - 1))
    if (submission.isRetrying) await sleep(Math.max(pauseMs, (waitsAsAsked && askedMs) || 0))
  } while (submission.isRetrying && !giveUp.aborted)
}

/** A valid request may only be refused for a while: with 503 and a time to wait, or by a proxy. */
export function isWrong({ status, headers }: Response): boolean {
  return status === 503 ? !headers.has('retry-after') : status !== 502 && status !== 504
}

/** Returns the time that the response asks to wait, in ms. */
async function tryOnce({ url, client }: Service, request: Request, submission: Submitted) {
  const { marker, isRetrying } = submission
  const headers = { authorization: request.token, ...(isRetrying && { 'idempotency-key': marker }) }
  const send = async (signal: AbortSignal) =>
    request.isForContestApi
      ? submitToContestApi(url, request, { headers, signal })
      : client.POST('/v1/submissions', { body: request.body, headers, signal })
  const { data, error, response } = (await inTime(TRY_TIMEOUT_MS, send)) ?? {}
  if (data !== undefined) {
    submission.id = data.id
    submission.acknowledgedAtMs = performance.now()
  } else if (response && isWrong(response)) submission.refusal = `${response.status} ${error?.message}`
  return response && Number(response.headers.get('retry-after') ?? 0) * 1000
}

async function submitToContestApi(
  url: string,
  { body: { event_id = 0, problem_id, language_id, source_code } }: Request,
  { headers, signal }: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
) {
  const data = (await zipFiles({ 'main.txt': source_code })).toString('base64')
  const response = await fetch(`${url}/v1/clics/contests/${event_id}/submissions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ problem_id: String(problem_id), language_id, files: [{ data }] }),
    signal,
  })
  const body = (await response.json()) as { id: string; message?: string }
  return response.ok ? { data: body, response } : { error: body, response }
}
