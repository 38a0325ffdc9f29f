import { performance } from 'node:perf_hooks'
import { Connection } from './connection.ts'

/** A slice of load: each connection sends its next request after the previous response. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** The number of the first request. The connections take the requests in turn. */
  readonly first: number
  /** The successful statuses. The latency of others is ignored. */
  readonly statuses: readonly number[]
}

/** The result of a slice. */
export interface LoadResult {
  readonly latenciesMs: Float64Array
  readonly elapsedMs: number
  readonly bytes: number
  /** The number of responses by status. */
  readonly statuses: Record<number, number>
}

/** Sends requests for some time, and waits for the last responses. */
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
      const response = await connection.send(request)
      const nowMs = performance.now()
      if (load.statuses.includes(response.status)) latenciesMs.push(nowMs - sentMs)
      sentMs = nowMs
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      bytes += response.bytes
    }
  }
  try {
    await Promise.all(opened.map(repeat))
  } finally {
    for (const connection of opened) connection.close()
  }
  const elapsedMs = performance.now() - startedMs
  return { latenciesMs: Float64Array.from(latenciesMs), elapsedMs, bytes, statuses }
}
