import { fileURLToPath } from 'node:url'
import { listTree } from '../local-servers/process-tree.ts'
import { startServerProcess } from '../local-servers/server-process.ts'

/** A verdict that a worker sent. It may not have arrived. */
export interface SentVerdict {
  readonly id: string
  readonly judging: number
  readonly status: string
  readonly time_elapsed: number
}

/** A line that the instant worker prints, as JSON. */
export type WorkerEvent =
  | { readonly event: 'ready' }
  | { readonly event: 'delivery'; readonly id: string; readonly judging: number }
  | ({ readonly event: 'verdict' } & SentVerdict)
  | { readonly event: 'stored' | 'returned' | 'renewed'; readonly id: string }

interface WorkerOptions {
  readonly kind: 'instant' | 'real'
  readonly variables: Readonly<Record<string, string>>
  readonly serviceUrls: readonly string[]
}

/** What a worker reported. The real worker reports nothing. */
export type Reports = ReturnType<typeof createReports>['reports']

export interface Worker extends Reports {
  /** Stops it (SIGSTOP) until `thaw`. */
  freeze(): void
  thaw(): void
  /** Kills only the worker (SIGKILL), not the programs that it runs. */
  kill(): Promise<unknown>
  start(): Promise<void>
  stop(): Promise<unknown>
  isRunningPrograms(): boolean
}

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The arguments of Node.js that start it. */
export const instantWorker = [
  ...['--import', 'tsx', '--conditions=source', `${root}tools/faults/instant-worker.ts`],
]
const start = { real: [`${root}packages/worker/dist/main.js`], instant: instantWorker }

export function createReports(kind: 'instant' | 'real') {
  /** The number of deliveries by `id judging`. */
  const deliveries = new Map<string, number>()
  /** The verdicts of a submission in the order of sending. */
  const verdicts = new Map<string, SentVerdict[]>()
  /** The submissions whose verdict the service acknowledged. */
  const stored = new Set<string>()
  /** The time of the first delivery by id, in the order of delivery. */
  const deliveredAtMs = new Map<string, number>()
  const renewed = new Set<string>()
  let returned = 0
  const note = (event: WorkerEvent) => {
    if (event.event === 'delivery') {
      const key = `${event.id} ${event.judging}`
      deliveries.set(key, (deliveries.get(key) ?? 0) + 1)
      if (!deliveredAtMs.has(event.id)) deliveredAtMs.set(event.id, performance.now())
    } else if (event.event === 'verdict') {
      verdicts.set(event.id, [...(verdicts.get(event.id) ?? []), event])
    } else if (event.event === 'stored') stored.add(event.id)
    else if (event.event === 'renewed') renewed.add(event.id)
    else if (event.event === 'returned') returned += 1
  }
  const reports = {
    ...{ kind, deliveries, deliveredAtMs, verdicts, stored, renewed },
    /** The number of messages that it returned because the service was unreachable. */
    returned: () => returned,
  }
  return { reports, note }
}

/** Reads a line of the instant worker. Undefined for others, such as the half line of a killed one. */
export function parseEvent(line: string): WorkerEvent | undefined {
  return line.startsWith('{"event":') && line.endsWith('}') ? JSON.parse(line) : undefined
}

/** Starts a worker and waits until it consumes. */
export async function startWorker({ kind, variables, serviceUrls }: WorkerOptions): Promise<Worker> {
  const { reports, note } = createReports(kind)
  const addresses = { JUDGE_API_URLS: serviceUrls.join(','), JUDGE_API_URL: serviceUrls[0] }
  const server = await startServerProcess({
    name: 'the worker',
    command: process.execPath,
    args: start[kind],
    options: {
      cwd: root,
      env: { PATH: process.env.PATH, ...variables, ...addresses, WORKER_CONCURRENCY: '2' },
    },
    isReady: (line) => {
      const event = parseEvent(line)
      if (event !== undefined) note(event)
      return line.includes(kind === 'real' ? 'waiting for messages' : '"event":"ready"')
    },
    lastSignal: 'SIGKILL',
  })
  return Object.assign(server, reports, {
    isRunningPrograms: () => listTree(server.pid).length > 1,
    kill: () => server.end('SIGKILL'),
    stop: () => {
      server.thaw()
      return server.end('SIGTERM')
    },
  })
}
