import { serveParent } from '../child.ts'
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

interface LoadResult {
  readonly latenciesMs: readonly number[]
  readonly elapsedMs: number
  readonly cpuMs: number
  readonly statuses: Record<number, number>
}

/** Stores requests under a name, sends the requests of a name, or deletes all. */
export type GeneratorRequest =
  | { readonly kind: 'requests'; readonly name: string; readonly requests: readonly string[] }
  | { readonly kind: 'load'; readonly name: string; readonly load: Load }
  | { readonly kind: 'clear' }

export type GeneratorReply = LoadResult | undefined

const stored = new Map<string, Buffer[]>()

serveParent(async (request: GeneratorRequest): Promise<GeneratorReply> => {
  if (request.kind === 'load') return runClosedLoop(request.load, stored.get(request.name) ?? [])
  if (request.kind === 'clear') stored.clear()
  else {
    stored.set(
      request.name,
      request.requests.map((text) => Buffer.from(text)),
    )
  }
  return undefined
})

/** Sends requests for some time, and waits for the last responses. */
async function runClosedLoop(load: Load, requests: readonly Buffer[]): Promise<LoadResult> {
  const cpuBefore = process.cpuUsage()
  const { port, connections, statuses: successes } = load
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
  const latenciesMs: number[] = []
  const statuses: Record<number, number> = {}
  let next = load.first
  const startedMs = performance.now()
  const endMs = startedMs + load.durationMs
  const repeat = async (connection: Connection): Promise<void> => {
    for (let sentMs = performance.now(); sentMs < endMs; ) {
      const request = requests[next % requests.length]
      if (request === undefined) throw new Error('There are no requests')
      next += 1
      const { status } = await connection.send(request)
      const nowMs = performance.now()
      if (successes.includes(status)) latenciesMs.push(nowMs - sentMs)
      sentMs = nowMs
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  try {
    await Promise.all(opened.map(repeat))
  } finally {
    for (const connection of opened) connection.close()
  }
  const elapsedMs = performance.now() - startedMs
  const { user, system } = process.cpuUsage(cpuBefore)
  return { latenciesMs, elapsedMs, cpuMs: (user + system) / 1000, statuses }
}
