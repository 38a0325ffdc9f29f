import { performance } from 'node:perf_hooks'
import { Connection } from './connection.ts'

/** What one slice of load is: every connection sends its next request as soon as the last one is answered. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** The first request to send; connections take them in turn, round and round. */
  readonly first: number
  /** Those of success: the others are counted, but their time is not. */
  readonly statuses: readonly number[]
}

/** What came of it. */
export interface LoadResult {
  readonly latenciesMs: Float64Array
  readonly elapsedMs: number
  readonly bytes: number
  /** How many answers there were of each status. */
  readonly statuses: Record<number, number>
}

/** Sends requests for so long; what is under way by then is waited for and counts. */
export async function runClosedLoop(load: Load, requests: readonly Buffer[]): Promise<LoadResult> {
  const opened = await Promise.all(Array.from({ length: load.connections }, () => Connection.open(load.port)))
  const latenciesMs: number[] = []
  const statuses: Record<number, number> = {}
  let next = load.first
  let bytes = 0
  const startedMs = performance.now()
  const endMs = startedMs + load.durationMs
  const repeat = async (connection: Connection): Promise<void> => {
    for (let sentMs = performance.now(); sentMs < endMs; ) {
      const request = requests[next % requests.length]
      if (request === undefined) throw new Error('There are no requests')
      next += 1
      const answer = await connection.send(request)
      const nowMs = performance.now()
      if (load.statuses.includes(answer.status)) latenciesMs.push(nowMs - sentMs)
      sentMs = nowMs
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      bytes += answer.bytes
    }
  }
  try {
    await Promise.all(opened.map(repeat))
  } finally {
    for (const connection of opened) connection.close()
  }
  return {
    latenciesMs: Float64Array.from(latenciesMs),
    elapsedMs: performance.now() - startedMs,
    bytes,
    statuses,
  }
}
