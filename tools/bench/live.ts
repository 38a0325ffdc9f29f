import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../local-servers/database.ts'
import { readResidentMebibytes, readTreeCpuMs } from '../local-servers/process-tree.ts'
import { readEventLoopLagMs } from './contest.ts'
import { addEvent } from './fill.ts'
import { Connection } from './generator/connection.ts'
import { type Held, nowMs, startHolder } from './live-process.ts'
import { measureShares, percentile } from './measure.ts'
import type { Options } from './options.ts'
import { writeRequest } from './route.ts'
import { type EventSize, firstSubmissionOf, withContest } from './sizes.ts'
import type { Stage } from './stage.ts'
import { patchBody, submissionId, submissionIdSql } from './values.ts'

const USUAL = { people: 6000, streams: 5000, seconds: 30 } as const
const QUICK = { people: 600, streams: 500, seconds: 8 } as const
const VERDICTS_PER_SECOND = 20
/** Verdicts that the bench's judge sends at the same time. */
const JUDGE_CONNECTIONS = 8
/** Below the service's limit of streams by address. */
const STREAMS_PER_ADDRESS = 150
const OPENED_AT_ONCE = 64
/** After the last stream has opened: caches fill and garbage is collected. */
const SETTLE_MS = 6000
/** After the last verdict. */
const PATIENCE_MS = 5000

export type LiveResult = Awaited<ReturnType<typeof runLive>>

/** Opens streams of different people of a contest, and stores verdicts on their submissions. */
export async function runLive(
  stage: Stage,
  { isQuick, people: [given] = [] }: Pick<Options, 'isQuick' | 'people'>,
) {
  const { people, streams, seconds } = isQuick ? QUICK : USUAL
  const { size, event } = withContest(stage.world.size, given ?? people)
  await addEvent(stage.database, size, event)
  const count = Math.min(streams, event.people)
  const first = firstSubmissionOf(size, event)
  const verdicts = await makePending(stage, event, first, count, seconds * VERDICTS_PER_SECOND)
  const holder = startHolder()
  try {
    const { port, pid, metricsPort } = stage.service
    const held = await streamsOf(stage, event, count)
    // The first streams load code and fill caches that all share.
    const few = Math.ceil(count / 50)
    await holder.call({ port, open: held.slice(0, few), atOnce: 8 })
    await sleep(SETTLE_MS)
    const idleMebibytes = readResidentMebibytes(pid)
    const kibPerStream = () => ((readResidentMebibytes(pid) - idleMebibytes) * 1024) / (count - few)
    const startedMs = nowMs()
    await holder.call({ port, open: held.slice(few), atOnce: OPENED_AT_ONCE })
    const openedSeconds = (nowMs() - startedMs) / 1000
    await sleep(SETTLE_MS)
    const opened = kibPerStream()
    const readCpuMs = () => ({ service: readTreeCpuMs(pid), PostgreSQL: stage.postgres.readCpuMs() })
    const quiet = await measureShares(readCpuMs, () => sleep(SETTLE_MS))
    const busy = await measureShares(readCpuMs, () => storeVerdicts(stage, verdicts))
    const loaded = kibPerStream()
    await sleep(PATIENCE_MS)
    const { submissions, ended, refused } = await holder.call({ port })
    return {
      ...{ streams: count, openedSeconds, refused, ended, kibPerStream: { opened, loaded } },
      ...summariseDelays(busy.value, submissions),
      ...{ quietShares: quiet.shares, shares: busy.shares },
      serviceLagMs: await readEventLoopLagMs(metricsPort),
    }
  } finally {
    await holder.end()
  }
}

function streamsOf({ world }: Stage, event: EventSize, count: number): Promise<Held[]> {
  const path = `/v1/events/${event.id}/changes`
  return Promise.all(
    Array.from({ length: count }, async (_, n) => ({
      ...{ path, token: await world.tokenOf(event.firstUser + n) },
      localAddress: `127.0.1.${1 + Math.floor(n / STREAMS_PER_ADDRESS)}`,
    })),
  )
}

/** The first submissions of people with a stream, spread over all of them, wait for a verdict. */
async function makePending(
  { database, world }: Stage,
  event: EventSize,
  first: number,
  streams: number,
  count: number,
) {
  const chosen = [...new Set(Array.from({ length: count }, (_, n) => Math.floor((n * 7919) % streams)))]
  const ids = chosen.map((place) => submissionIdSql(String(first + place))).join(', ')
  await ask(
    database,
    `update submissions set status = 'PENDING', judged_at = null, test_case_results = null
     where submissions.id in (${ids})`,
  )
  await ask(database, 'vacuum analyze')
  return chosen.map((place) => {
    const submission = submissionId(first + place)
    const path = `/v1/submissions/${submission}`
    const body = patchBody(event.firstProblem)
    const request = writeRequest({ method: 'PATCH', path, token: world.judgeToken, body })
    return { submission, request: Buffer.from(request) }
  })
}

interface Answered {
  readonly submission: string
  readonly storedMs: number
}

/** Sends verdicts on a schedule that does not wait for responses. */
async function storeVerdicts({ service }: Stage, verdicts: Awaited<ReturnType<typeof makePending>>) {
  const answered: Answered[] = []
  const startedMs = nowMs()
  const sendFrom = async (first: number) => {
    const connection = await Connection.open(service.port)
    try {
      for (let n = first; n < verdicts.length; n += JUDGE_CONNECTIONS) {
        const verdict = verdicts[n]
        if (verdict === undefined) return
        await sleep(Math.max(0, startedMs + (n * 1000) / VERDICTS_PER_SECOND - nowMs()))
        const { status } = await connection.send(verdict.request)
        if (status !== 204) throw new Error(`a verdict got ${status}`)
        answered.push({ submission: verdict.submission, storedMs: nowMs() })
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: JUDGE_CONNECTIONS }, (_, n) => sendFrom(n)))
  return answered
}

/** The time from the response to a verdict to its owner's event; 0 if the event came first. */
function summariseDelays(answered: readonly Answered[], events: ReadonlyMap<string, number>) {
  const delays = answered.flatMap(({ submission, storedMs }) => {
    const eventMs = events.get(submission)
    return eventMs === undefined ? [] : [Math.max(0, eventMs - storedMs)]
  })
  const at = (percent: number) => percentile(delays, percent)
  return {
    verdicts: answered.length,
    missing: answered.length - delays.length,
    delayMs: { p50: at(50), p99: at(99), most: at(100) },
  }
}
