import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../local-servers/database.ts'
import { readResidentMebibytes, readTreeCpuMs } from '../local-servers/process-tree.ts'
import { readEventLoopLagMs } from './contest.ts'
import { Connection } from './generator/connection.ts'
import { startHolder } from './live-holder.ts'
import { type Held, nowMs } from './live-process.ts'
import { difference, percentile } from './measure.ts'
import { writeRequest } from './route.ts'
import { type EventSize, firstSubmissionOf } from './sizes.ts'
import type { Stage } from './stage.ts'
import { patchBody, submissionId, submissionIdSql } from './values.ts'

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

/** The figures of many streams while verdicts arrive. */
export type StreamsResult = Awaited<ReturnType<typeof runStreams>>

/** Opens streams of different people, and stores verdicts on their submissions. */
export async function runStreams(stage: Stage, event: EventSize, count: number, seconds: number) {
  const { service, postgres } = stage
  const verdicts = await makePending(stage, event, count, seconds * VERDICTS_PER_SECOND)
  const holder = startHolder()
  const readings = () => ({ node: readTreeCpuMs(service.pid), postgres: postgres.readCpuMs(), atMs: nowMs() })
  const cpuSince = (before: ReturnType<typeof readings>) => {
    const after = readings()
    const elapsedMs = after.atMs - before.atMs
    const postgresMs = difference(after.postgres, before.postgres)
    return {
      service: (after.node - before.node) / elapsedMs,
      PostgreSQL: postgresMs && postgresMs / elapsedMs,
    }
  }
  try {
    const held = await streamsOf(stage, event, count)
    // The first streams load code and fill caches that all share.
    const first = Math.ceil(count / 50)
    await holder.call({ kind: 'open', port: service.port, held: held.slice(0, first), atOnce: 8 })
    await sleep(SETTLE_MS)
    const idleMebibytes = readResidentMebibytes(service.pid)
    const startedMs = nowMs()
    await holder.call({ kind: 'open', port: service.port, held: held.slice(first), atOnce: OPENED_AT_ONCE })
    const openedSeconds = (nowMs() - startedMs) / 1000
    await sleep(SETTLE_MS)
    const openMebibytes = readResidentMebibytes(service.pid)
    const beforeQuiet = readings()
    await sleep(SETTLE_MS)
    const quietShares = cpuSince(beforeQuiet)
    const opening = await holder.call({ kind: 'report' })
    const before = readings()
    const answered = await storeVerdicts(stage, verdicts)
    const shares = cpuSince(before)
    const loadedMebibytes = readResidentMebibytes(service.pid)
    await sleep(PATIENCE_MS)
    const report = await holder.call({ kind: 'report' })
    if (report === undefined) throw new Error('the holder sent no report')
    const kibOf = (mebibytes: number) => ((mebibytes - idleMebibytes) * 1024) / (count - first)
    const result = {
      ...{ streams: count, openedSeconds, idleMebibytes, refused: opening?.refused ?? 0 },
      kibPerStream: { opened: kibOf(openMebibytes), loaded: kibOf(loadedMebibytes) },
      ...summariseDelays(answered, report.submissions),
      ...{ quietShares, shares, generatorShare: report.cpuMs / (nowMs() - before.atMs) },
      ...{ ended: report.ended, events: report.events, bytes: report.bytes },
      serviceLagMs: await readEventLoopLagMs(service.metricsPort),
    }
    console.log(`streams: ${JSON.stringify(result)}`)
    return result
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

interface Verdict {
  readonly submission: string
  readonly request: Buffer
}

/** The first submissions of people with a stream, spread over all of them, wait for a verdict. */
async function makePending({ database, world }: Stage, event: EventSize, streams: number, count: number) {
  const submissions = world.size.submissions + event.submissions
  const size = { ...world.size, submissions, events: [...world.size.events, event] as const }
  const first = firstSubmissionOf(size, event)
  const places = Array.from({ length: count }, (_, n) => Math.floor((n * 7919) % streams))
  const chosen = [...new Set(places)]
  const ids = chosen.map((place) => submissionIdSql(String(first + place))).join(', ')
  await ask(
    database,
    `update submissions set status = 'PENDING', judged_at = null, test_case_results = null
     where submissions.id in (${ids})`,
  )
  return chosen.map((place): Verdict => {
    const submission = submissionId(first + place)
    const path = `/v1/submissions/${submission}`
    const body = patchBody(event.firstProblem)
    const request = writeRequest({ method: 'PATCH', path, token: world.judgeToken, body })
    return { submission, request: Buffer.from(request) }
  })
}

interface Answered {
  readonly submission: string
  readonly sentMs: number
  readonly storedMs: number
}

/** Sends verdicts on a schedule that does not wait for responses. */
async function storeVerdicts({ service }: Stage, verdicts: readonly Verdict[]): Promise<Answered[]> {
  const connections = await Promise.all(
    Array.from({ length: JUDGE_CONNECTIONS }, () => Connection.open(service.port)),
  )
  const answered: Answered[] = []
  const startedMs = nowMs()
  const sendFrom = async (connection: Connection, first: number) => {
    for (let n = first; n < verdicts.length; n += JUDGE_CONNECTIONS) {
      const verdict = verdicts[n]
      if (verdict === undefined) return
      await sleep(Math.max(0, startedMs + (n * 1000) / VERDICTS_PER_SECOND - nowMs()))
      const sentMs = nowMs()
      const { status } = await connection.send(verdict.request)
      if (status !== 204) throw new Error(`a verdict got ${status}`)
      answered.push({ submission: verdict.submission, sentMs, storedMs: nowMs() })
    }
  }
  try {
    await Promise.all(connections.map(sendFrom))
  } finally {
    for (const connection of connections) connection.close()
  }
  return answered
}

/** The time from the response to a verdict to its owner's event; 0 if the event came first. */
export function summariseDelays(answered: readonly Answered[], events: ReadonlyMap<string, number>) {
  const arrived = answered.flatMap(({ submission, ...times }) => {
    const eventMs = events.get(submission)
    return eventMs === undefined ? [] : [{ ...times, eventMs }]
  })
  const delays = Float64Array.from(arrived, ({ storedMs, eventMs }) => Math.max(0, eventMs - storedMs))
  const stored = Float64Array.from(answered, ({ sentMs, storedMs }) => storedMs - sentMs)
  return {
    verdicts: answered.length,
    /** Without an event. */
    missing: answered.length - arrived.length,
    delayMs: { p50: percentile(delays, 50), p99: percentile(delays, 99), most: percentile(delays, 100) },
    verdictMs: { p50: percentile(stored, 50), p99: percentile(stored, 99) },
  }
}
