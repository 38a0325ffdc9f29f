import { readResidentMebibytes, readTreeCpuMs } from '../local-servers/process-tree.ts'
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

/** A server of the load. */
export interface LoadedServer {
  readonly pid: number
  readonly port: number
}

/** The servers, which get the connections in turn, their requests, and the successful statuses. */
export interface Aim {
  readonly servers: readonly LoadedServer[]
  /** The name of the requests in the generator. */
  readonly requests: string
  readonly statuses: readonly number[]
}

/**
 * Loads servers for some seconds, from the request with the number `first`. Throws after an
 * unexpected status, and without any success.
 */
export async function loadServers(
  { postgres, generator }: Pick<Stage, 'postgres' | 'generator'>,
  aim: Aim,
  connections: number,
  seconds: number,
  first = 0,
): Promise<Slice> {
  const sum = (read: (pid: number) => number) => aim.servers.reduce((all, { pid }) => all + read(pid), 0)
  const nodeBefore = sum(readTreeCpuMs)
  const postgresBefore = postgres.readCpuMs()
  const ports = aim.servers.map(({ port }) => port)
  const load = { ports, connections, durationMs: seconds * 1000, first, statuses: aim.statuses }
  const result = await generator.call({ kind: 'load', name: aim.requests, load })
  if (result === undefined) throw new Error('the generator returned no result')
  const counts = Object.entries(result.statuses)
  const expected = [...aim.statuses, OVERLOADED]
  const hasUnexpected = counts.some(([status]) => !expected.includes(Number(status)))
  if (hasUnexpected || !aim.statuses.some((status) => result.statuses[status])) {
    const found = counts.map(([status, count]) => `${count} with ${status}`)
    throw new Error(`Unexpected responses on ${connections} connections: ${found.join(', ')}`)
  }
  return {
    requests: result.latenciesMs.length,
    refused: result.statuses[OVERLOADED] ?? 0,
    seconds: result.elapsedMs / 1000,
    bytes: result.bytes,
    latenciesMs: result.latenciesMs,
    nodeCpuMs: sum(readTreeCpuMs) - nodeBefore,
    postgresCpuMs: difference(postgres.readCpuMs(), postgresBefore),
    generatorCpuMs: result.cpuMs,
    residentMebibytes: sum(readResidentMebibytes),
  }
}
