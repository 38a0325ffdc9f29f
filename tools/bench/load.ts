import { readTreeCpuMs } from '../local-servers/process-tree.ts'
import { difference, type Slice } from './measure.ts'
import { type Exchange, writeRequest } from './route.ts'
import type { Stage } from './stage.ts'

const OVERLOADED = 503

/** Gives requests to the generator under a name. */
export const storeRequests = ({ generator }: Stage, name: string, exchanges: readonly Exchange[]) =>
  generator.call({ kind: 'requests', name, requests: exchanges.map(writeRequest) })

/** Sends one request, and returns the body. Throws for an unexpected status. */
export async function sendOnce(
  port: number,
  { method, path, token, body }: Exchange,
  statuses: readonly number[],
): Promise<string> {
  const headers = {
    ...(token !== undefined && { authorization: token }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const url = `http://127.0.0.1:${port}${path}`
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  if (!statuses.includes(response.status)) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

export interface Aim {
  readonly server: { readonly pid: number; readonly port: number }
  readonly requests: string
  readonly statuses: readonly number[]
}

/** Loads a server from request `first`. Throws after an unexpected status or without a success. */
export async function loadServer(
  { postgres, generator }: Pick<Stage, 'postgres' | 'generator'>,
  { server, requests, statuses }: Aim,
  connections: number,
  seconds: number,
  first = 0,
): Promise<Slice> {
  const nodeBefore = readTreeCpuMs(server.pid)
  const postgresBefore = postgres.readCpuMs()
  const load = { port: server.port, connections, durationMs: seconds * 1000, first, statuses }
  const result = await generator.call({ kind: 'load', name: requests, load })
  if (result === undefined) throw new Error('the generator returned no result')
  const counts = Object.entries(result.statuses)
  const hasUnexpected = counts.some(([status]) => ![...statuses, OVERLOADED].includes(Number(status)))
  if (hasUnexpected || !statuses.some((status) => result.statuses[status])) {
    const found = counts.map(([status, count]) => `${count} with ${status}`)
    throw new Error(`Unexpected responses on ${connections} connections: ${found.join(', ')}`)
  }
  return {
    requests: result.latenciesMs.length,
    refused: result.statuses[OVERLOADED] ?? 0,
    seconds: result.elapsedMs / 1000,
    latenciesMs: result.latenciesMs,
    nodeCpuMs: readTreeCpuMs(server.pid) - nodeBefore,
    postgresCpuMs: difference(postgres.readCpuMs(), postgresBefore),
    generatorCpuMs: result.cpuMs,
  }
}
