import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createJudgeClient, type JudgeClient } from '@judge-data-layer/client'
import { startDeadline } from '@judge-data-layer/client/deadline'
import type { Contest } from './contest.ts'

/** One submission of the load, as its client sees it. */
export interface Submitted {
  /** In its source code, and of no other. */
  readonly marker: string
  readonly verdict: 'ACCEPTED' | 'WRONG_ANSWER'
  /** Sends it with an Idempotency-Key until it is acknowledged; else it is sent once. */
  readonly isRetrying: boolean
  tries: number
  /** Of the 201 that the client saw. */
  id?: string
  acknowledgedAtMs?: number
  /** What a client must never see: a refusal of a right request. */
  refusal?: string
}

/** Who submits what, where and how fast. */
export interface LoadOptions {
  readonly urls: readonly string[]
  readonly contest: Contest
  readonly perSecond: number
  /** Whether programs are to run for a while; the instant worker does not run them. */
  readonly isJudged: boolean
}

/** A load under way. */
export interface Load {
  readonly submitted: readonly Submitted[]
  acknowledged(): Submitted[]
  /** Sends no new submissions; waits for those under way, retrying ones for at most `withinMs`. */
  stop(withinMs: number): Promise<void>
}

const TRY_TIMEOUT_MS = 5000
/** Between two tries: a client that never waits longer would hold down a service that comes back. */
const PAUSE_MS = { first: 250, longest: 2000 }

/** Submits at a steady rate, whether or not there are answers (an open loop), through each address in turn. */
export function startLoad(options: LoadOptions): Load {
  const clients = options.urls.map((baseUrl) => createJudgeClient({ baseUrl }))
  const submitted: Submitted[] = []
  const underWay = new Set<Promise<void>>()
  const giveUp = new AbortController()
  const startedAtMs = performance.now()
  const sendNext = () => {
    const number = submitted.length
    const submission = makeSubmission(number)
    submitted.push(submission)
    const request = makeRequest(options, number, submission)
    const sending = submit(clients, request, submission, number, giveUp.signal)
    underWay.add(sending)
    void sending.finally(() => underWay.delete(sending))
  }
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAtMs) * options.perSecond) / 1000)
    while (submitted.length < due) sendNext()
  }, 10)
  return {
    submitted,
    acknowledged: () => submitted.filter(({ id }) => id !== undefined),
    stop: async (withinMs) => {
      clearInterval(timer)
      const deadline = setTimeout(() => giveUp.abort(), withinMs)
      await Promise.all(underWay)
      clearTimeout(deadline)
    },
  }
}

function makeSubmission(number: number): Submitted {
  return {
    marker: randomUUID(),
    verdict: number % 3 === 0 ? 'WRONG_ANSWER' : 'ACCEPTED',
    isRetrying: number % 2 === 0,
    tries: 0,
  }
}

function makeRequest(
  { contest: { people, targets, languageId }, isJudged }: LoadOptions,
  number: number,
  { marker, verdict }: Submitted,
): Request {
  const person = people[number % people.length]
  const target = targets[Math.floor(number / people.length + number) % targets.length]
  if (person === undefined || target === undefined)
    throw new Error('there is nobody to submit, or nothing to submit to')
  const source_code = isJudged ? makeProgram(marker, verdict) : `// ${marker}`
  return {
    token: person.token,
    body: { ...target, user_id: person.id, language_id: languageId, source_code },
  }
}

/** Takes its time, so that a worker is killed in the middle of it. */
function makeProgram(marker: string, verdict: string): string {
  const wrong = verdict === 'WRONG_ANSWER' ? `+ '?'` : ''
  return `// ${marker}\nsetTimeout(() => console.log(require('fs').readFileSync(0, 'utf8').trim() ${wrong}), 150)\n`
}

type Request = {
  readonly token: string
  readonly body: {
    readonly user_id: string
    readonly problem_id: number
    readonly event_id?: number
    readonly language_id: string
    readonly source_code: string
  }
}

async function submit(
  clients: readonly JudgeClient[],
  request: Request,
  submission: Submitted,
  first: number,
  giveUp: AbortSignal,
): Promise<void> {
  do {
    const client = clients[(first + submission.tries) % clients.length]
    submission.tries += 1
    if (client !== undefined) await tryOnce(client, request, submission)
    if (submission.id !== undefined || submission.refusal !== undefined) return
    if (submission.isRetrying)
      await sleep(Math.min(PAUSE_MS.longest, PAUSE_MS.first * 2 ** (submission.tries - 1)))
  } while (submission.isRetrying && !giveUp.aborted)
}

async function tryOnce(client: JudgeClient, { token, body }: Request, submission: Submitted): Promise<void> {
  const { marker, isRetrying } = submission
  const deadline = startDeadline(TRY_TIMEOUT_MS)
  const headers = { authorization: token, ...(isRetrying && { 'idempotency-key': marker }) }
  try {
    const { data, error, response } = await client.POST('/v1/submissions', {
      body,
      headers,
      signal: deadline.signal,
    })
    if (data !== undefined) {
      submission.id = data.id
      submission.acknowledgedAtMs = performance.now()
    } else if (response.status < 500) submission.refusal = `${response.status} ${error?.message}`
  } catch {
    // No answer: nobody knows whether it is stored.
  } finally {
    deadline.close()
  }
}
