import { readResidentMebibytes } from '../local-servers/machine.ts'
import { readTreeCpuMs } from '../local-servers/process-tree.ts'
import type { Generator, Stage } from './stage.ts'
import { difference } from './statistics.ts'

/** The result of a slice of load. CPU times cover the whole slice; unknown ones are undefined. */
export interface Slice {
  /** The number of successful requests. */
  readonly requests: number
  /** The number of 503 responses. */
  readonly refused: number
  readonly seconds: number
  readonly bytes: number
  readonly latenciesMs: Float64Array
  readonly nodeCpuMs?: number | undefined
  readonly postgresCpuMs?: number | undefined
  readonly generatorCpuMs?: number | undefined
  /** Memory of the server at the end. */
  readonly residentMebibytes?: number | undefined
}

/** The service or a ceiling. */
export interface Target {
  readonly name:
    | 'service'
    | 'one statement'
    | 'bare Fastify'
    | 'pgbench'
    | 'pgbench, pool'
    | 'pgbench, with the relay'
    | 'same bytes'
  run(connections: number, seconds: number): Promise<Slice>
  end(): Promise<void>
}

/** A server to load, and the name of the requests in the generator. */
export interface Aim {
  readonly pid: number
  readonly port: number
  readonly requests: string
  readonly statuses: readonly number[]
}

export interface SliceOptions {
  readonly connections: number
  readonly seconds: number
  /** The number of the first request to send. */
  readonly first: number
}

const OVERLOADED = 503

/** Loads a server for some seconds. Throws after an unexpected status, and without any success. */
export async function loadServer(
  { postgres }: Pick<Stage, 'postgres'>,
  generator: Generator,
  aim: Aim,
  { connections, seconds, first }: SliceOptions,
): Promise<Slice> {
  const nodeBefore = readTreeCpuMs(aim.pid)
  const postgresBefore = postgres.readCpuMs()
  const load = { port: aim.port, connections, durationMs: seconds * 1000, first, statuses: aim.statuses }
  const result = await generator.call({ kind: 'load', name: aim.requests, load })
  if (result === undefined) throw new Error('the generator returned no result')
  refuseUnexpected(aim, connections, result.statuses)
  return {
    requests: result.latenciesMs.length,
    refused: result.statuses[OVERLOADED] ?? 0,
    seconds: result.elapsedMs / 1000,
    bytes: result.bytes,
    latenciesMs: result.latenciesMs,
    nodeCpuMs: readTreeCpuMs(aim.pid) - nodeBefore,
    postgresCpuMs: difference(postgres.readCpuMs(), postgresBefore),
    generatorCpuMs: result.cpuMs,
    residentMebibytes: readResidentMebibytes(aim.pid),
  }
}

function refuseUnexpected(
  { statuses }: Aim,
  connections: number,
  counts: Readonly<Record<number, number>>,
): void {
  const expected = [...statuses, OVERLOADED]
  const hasUnexpected = Object.keys(counts).some((status) => !expected.includes(Number(status)))
  if (!hasUnexpected && statuses.some((status) => counts[status])) return
  const found = Object.entries(counts).map(([status, count]) => `${count} with ${status}`)
  throw new Error(`Unexpected responses on ${connections} connections: ${found.join(', ')}`)
}
