import { fileURLToPath } from 'node:url'
import { listTree } from '../local-servers/process-tree.ts'
import { type ServerProcess, startServerProcess } from '../local-servers/server-process.ts'
import { readWorkerEvent, type WrittenVerdict } from './worker-events.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const instantWorker = fileURLToPath(new URL('./instant-worker.ts', import.meta.url))
const realWorker = fileURLToPath(new URL('../../packages/worker/dist/main.js', import.meta.url))

/** Which worker to start, and for whom. */
export interface WorkerOptions {
  readonly kind: 'instant' | 'real'
  readonly amqpUrl: string
  readonly queue: string
  readonly judgePassword: string
  readonly serviceUrls: readonly string[]
}

/** A judge worker, and what it has said so far; `start` again after `kill`. */
export interface Worker {
  readonly kind: 'instant' | 'real'
  /** Deliveries by `id attempt`; the real worker does not tell them. */
  readonly deliveries: ReadonlyMap<string, number>
  /** Deliveries that it gave back, since the service was out of reach: those come again by right. */
  returned(): number
  /** By submission, in the order in which they were sent. */
  readonly verdicts: ReadonlyMap<string, readonly WrittenVerdict[]>
  /** Whose verdict the service has taken. */
  readonly stored: ReadonlySet<string>
  isRunningPrograms(): boolean
  /** Kills the worker alone (SIGKILL), not the programs that it runs. */
  kill(): Promise<void>
  start(): Promise<void>
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** Starts a worker and waits until it consumes. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const deliveries = new Map<string, number>()
  const verdicts = new Map<string, WrittenVerdict[]>()
  const stored = new Set<string>()
  let returned = 0
  const note = (line: string) => {
    const said = readWorkerEvent(line)
    if (said?.event === 'delivery') count(deliveries, `${said.id} ${said.attempt}`)
    else if (said?.event === 'verdict') verdicts.set(said.id, [...(verdicts.get(said.id) ?? []), said])
    else if (said?.event === 'stored') stored.add(said.id)
    else if (said?.event === 'returned') returned += 1
  }
  let server = await startProcess(options, note)
  return {
    ...{ kind: options.kind, deliveries, verdicts, stored },
    returned: () => returned,
    isRunningPrograms: () => listTree(server.pid).length > 1,
    kill: async () => {
      await server.end('SIGKILL')
    },
    start: async () => {
      server = await startProcess(options, note)
    },
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    stop: async () => {
      server.thaw()
      await server.end('SIGTERM', 15_000)
    },
  }
}

function startProcess(options: WorkerOptions, note: (line: string) => void): Promise<ServerProcess> {
  const { kind, amqpUrl, queue, judgePassword, serviceUrls } = options
  const isReal = kind === 'real'
  return startServerProcess({
    name: 'the worker',
    command: process.execPath,
    args: isReal ? [realWorker] : ['--import', 'tsx', '--conditions=source', instantWorker],
    options: {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        AMQP_URL: amqpUrl,
        AMQP_QUEUE: queue,
        JUDGE_PASSWORD: judgePassword,
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
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
