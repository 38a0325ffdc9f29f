import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { statement } from '../../src/db/database.ts'
import { listTree } from '../local-servers/process-tree.ts'
import type { Generator, Stage } from './stage.ts'

/** What a slice of load came to. CPU times are those of the whole slice; undefined where they cannot be seen. */
export interface Slice {
  /** Those that were answered with success. */
  readonly requests: number
  /** Those that were refused because there is too much to do (503). */
  readonly refused: number
  readonly seconds: number
  readonly bytes: number
  readonly latenciesMs: Float64Array
  readonly nodeCpuMs: number | undefined
  readonly postgresCpuMs: number | undefined
  readonly generatorCpuMs: number | undefined
  /** Memory of the server at the end of it. */
  readonly residentMebibytes: number | undefined
}

/** The server that is loaded, and with which of the requests that the generator holds. */
export interface Aim {
  readonly pid: number
  readonly port: number
  readonly requests: string
  readonly statuses: readonly number[]
}

export interface SliceOptions {
  readonly connections: number
  readonly seconds: number
  readonly first: number
}

/** Loads a server for so long. Throws where it answered anything but what it should, or refused everything. */
export async function loadServer(
  { postgres }: Pick<Stage, 'postgres'>,
  generator: Generator,
  aim: Aim,
  { connections, seconds, first }: SliceOptions,
): Promise<Slice> {
  const readNode = () => listTree(aim.pid)[0]?.cpuMs ?? Number.NaN
  const nodeBefore = readNode()
  const postgresBefore = postgres.readCpuMs()
  const load = { port: aim.port, connections, durationMs: seconds * 1000, first, statuses: aim.statuses }
  const result = await generator.ask({ kind: 'load', name: aim.requests, load })
  if (result === undefined) throw new Error('the generator did not say what it came to')
  refuseWrong(aim, connections, result.statuses)
  return {
    requests: result.latenciesMs.length,
    refused: result.statuses[REFUSED] ?? 0,
    seconds: result.elapsedMs / 1000,
    bytes: result.bytes,
    latenciesMs: result.latenciesMs,
    nodeCpuMs: readNode() - nodeBefore,
    postgresCpuMs: differenceOf(postgres.readCpuMs(), postgresBefore),
    generatorCpuMs: result.cpuMs,
    residentMebibytes: readResidentMebibytes(aim.pid),
  }
}

/** CPU time since a reading before; undefined where there is none. */
export function differenceOf(after: number | undefined, before: number | undefined): number | undefined {
  return after === undefined || before === undefined ? undefined : after - before
}

/** Waits until the relay has brought all messages to the queue; answers how many seconds that took. */
export async function waitForEmptyOutbox({ admin }: Pick<Stage, 'admin'>): Promise<number> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < 60_000) {
    const [row] = await admin.query(
      statement<{ waits: boolean }>('', 'select exists (select from outbox) as waits'),
    )
    if (row?.waits === false) return (performance.now() - startedMs) / 1000
    await wait(20)
  }
  throw new Error('messages are still in the outbox after a minute')
}

/** The service has too much to do, and says so. */
const REFUSED = 503

function refuseWrong({ statuses }: Aim, connections: number, counts: Readonly<Record<number, number>>): void {
  const right = new Set([...statuses, REFUSED])
  const wrong = Object.keys(counts).some((status) => !right.has(Number(status)))
  const none = !statuses.some((status) => counts[status])
  if (wrong || none) {
    const told = Object.entries(counts).map(([status, count]) => `${count} with ${status}`)
    throw new Error(`Requests on ${connections} connections were answered, ${told.join(', ')}`)
  }
}

/** The memory that a process holds. */
export function readResidentMebibytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) / 1024
}
