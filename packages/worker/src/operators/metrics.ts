import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Message, MessageHandler } from '../messages/message-source.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

interface MeasuredWorker {
  readonly version: string
  readonly concurrency: number
  readonly languages: readonly { readonly name: string; readonly version: string }[]
  readonly countWork: () => number
  readonly isHealthy: () => boolean
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>

const KINDS: Readonly<Record<Message['type'], string>> = { submission: 'submission', input: 'run' }
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600]

/** Outcomes without a verdict, in lower case; verdicts have the words of the API. */
const STATUS = /^[A-Z][A-Z_]{0,63}/

/** The metrics of a worker, for Prometheus. They have no id, no secret and no name of a person. */
export function createWorkerMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const { judged, duration, givenBack, running } = createCounters(registers)
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    running.inc()
    return work().finally(() => running.dec())
  }
  return {
    /** Counts what was judged, with the outcome that the log shows. */
    countJudged(type: Message['type'], outcome: string, seconds: number): void {
      judged.inc({ kind: KINDS[type], status: STATUS.exec(outcome)?.[0] ?? 'none' })
      duration.observe({ kind: KINDS[type] }, seconds)
    },
    /** Counts the messages that the handler gives back. */
    watchHandler:
      (handle: MessageHandler): MessageHandler =>
      async (message) => {
        try {
          await handle(message)
        } catch (err) {
          givenBack.inc({ kind: KINDS[message.type] })
          throw err
        }
      },
    watchSandbox: (sandbox: Sandbox): Sandbox => ({
      ...sandbox,
      run: (request) => during(() => sandbox.run(request)),
      runPair: (request) => during(() => sandbox.runPair(request)),
    }),
    describeWorker: (worker: MeasuredWorker) => describeWorker(worker, registers),
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  }
}

function createCounters(registers: Registry[]) {
  const judged = new Counter({
    name: 'judge_worker_judged_total',
    help: 'Handled messages by kind, and by the status of the verdict or its reason; none: no verdict was needed.',
    labelNames: ['kind', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'judge_worker_judging_duration_seconds',
    help: 'Time from a message to its verdict.',
    labelNames: ['kind'],
    buckets: SECONDS,
    registers,
  })
  const givenBack = new Counter({
    name: 'judge_worker_returned_total',
    help: 'Messages that went back to the queue.',
    labelNames: ['kind'],
    registers,
  })
  const running = new Gauge({
    name: 'judge_worker_programs',
    help: 'Programs that run now: compilers, submissions and validators.',
    registers,
  })
  for (const kind of Object.values(KINDS)) {
    for (const status of ['ACCEPTED', 'INTERNAL_ERROR']) judged.inc({ kind, status }, 0)
    givenBack.inc({ kind }, 0)
    duration.zero({ kind })
  }
  return { judged, duration, givenBack, running }
}

function describeWorker(worker: MeasuredWorker, registers: Registry[]): void {
  const { version, concurrency, languages, countWork, isHealthy } = worker
  new Gauge({
    name: 'judge_worker_info',
    help: 'Always 1; the version of the worker.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  const installed = new Gauge({
    name: 'judge_worker_language',
    help: 'Always 1; an installed language.',
    labelNames: ['language', 'language_version'],
    registers,
  })
  for (const { name, version: language_version } of languages)
    installed.set({ language: name, language_version }, 1)
  const measure = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read())
      },
    })
  measure('judge_worker_slots', 'How many messages are judged at once.', () => concurrency)
  measure('judge_worker_busy_slots', 'Messages that are judged now.', countWork)
  measure('judge_worker_healthy', '1 if /health responds 200.', () => Number(isHealthy()))
}
