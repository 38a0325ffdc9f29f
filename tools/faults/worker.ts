import { fileURLToPath } from 'node:url'
import { listTree } from '../local-servers/process-tree.ts'
import { type ServerProcess, startServerProcess } from '../local-servers/server-process.ts'
import { readWorkerEvent, type SentVerdict } from './worker-events.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Which worker to start, and its settings. */
export interface WorkerOptions {
  readonly kind: 'instant' | 'real'
  readonly variables: Readonly<Record<string, string>>
  readonly serviceUrls: readonly string[]
}

/** A judge worker and what it reported. */
export interface Worker extends Pick<ServerProcess, 'start' | 'freeze' | 'thaw'> {
  readonly kind: 'instant' | 'real'
  /** The number of deliveries by `id judging`. The real worker does not report them. */
  readonly deliveries: ReadonlyMap<string, number>
  /** The number of messages that it returned because the service was unreachable. */
  returned(): number
  /** The verdicts of a submission in the order of sending. */
  readonly verdicts: ReadonlyMap<string, readonly SentVerdict[]>
  /** The submissions whose verdict the service acknowledged. */
  readonly stored: ReadonlySet<string>
  isRunningPrograms(): boolean
  /** Kills only the worker (SIGKILL), not the programs that it runs. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Starts a worker and waits until it consumes. */
export async function startWorker({ kind, variables, serviceUrls }: WorkerOptions): Promise<Worker> {
  const deliveries = new Map<string, number>()
  const verdicts = new Map<string, SentVerdict[]>()
  const stored = new Set<string>()
  let returned = 0
  const note = (line: string) => {
    const event = readWorkerEvent(line)
    if (event?.event === 'delivery') {
      const key = `${event.id} ${event.judging}`
      deliveries.set(key, (deliveries.get(key) ?? 0) + 1)
    } else if (event?.event === 'verdict') {
      verdicts.set(event.id, [...(verdicts.get(event.id) ?? []), event])
    } else if (event?.event === 'stored') stored.add(event.id)
    else if (event?.event === 'returned') returned += 1
  }
  const isReal = kind === 'real'
  const server = await startServerProcess({
    name: 'the worker',
    command: process.execPath,
    args: isReal
      ? [`${root}packages/worker/dist/main.js`]
      : ['--import', 'tsx', '--conditions=source', `${root}tools/faults/instant-worker.ts`],
    options: {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        ...variables,
        JUDGE_API_URLS: serviceUrls.join(','),
        JUDGE_API_URL: serviceUrls[0],
        WORKER_CONCURRENCY: '2',
      },
    },
    isReady: (line) => {
      note(line)
      return line.includes(isReal ? 'waiting for messages' : '"event":"ready"')
    },
    readyWithinMs: 60_000,
    lastSignal: 'SIGKILL',
  })
  return Object.assign(server, {
    ...{ kind, deliveries, verdicts, stored },
    returned: () => returned,
    isRunningPrograms: () => listTree(server.pid).length > 1,
    kill: async () => {
      await server.end('SIGKILL')
    },
    stop: async () => {
      server.thaw()
      await server.end('SIGTERM', 15_000)
    },
  })
}
