import { randomUUID } from 'node:crypto'
import { type JudgeService, startJudgeService } from '../../packages/worker/test/support/judge-service.ts'
import { readTreeCpuMs } from '../local-servers/process-tree.ts'
import { type Child, startChild } from './child.ts'
import type { WorkerReply, WorkerRequest } from './judging-worker.ts'

/** One figure of the worker, in each round. */
export interface JudgingFigure {
  readonly name: string
  readonly unit: 's' | 'ms' | 'MiB' | 'requests' | 'per s' | 'ratio'
  readonly values: readonly number[]
  /** The median must be below it; ratios: at least; requests: equal. Undefined: for comparison. */
  readonly target?: number
  /** CPU time of the worker and its programs in each round, in ms. */
  readonly cpuMs?: readonly number[]
}

/** The judging of one or more submissions, in ms. */
export interface Judged {
  readonly wallMs: number
  readonly cpuMs: number
}

/** A worker, and the service that it knows. */
export interface Bench {
  readonly service: JudgeService
  readonly worker: Child<WorkerRequest, WorkerReply>
}

export const LIMITS = { accept_timeout: 60, execution_timeout: 60, memory_limit: 256 }

const PASSWORD = randomUUID()
const WORKER = new URL('./judging-worker.ts', import.meta.url).href

/** Starts a worker, lets `use` measure it, and stops it. */
export async function withWorker<T>(
  mode: 'bubblewrap' | 'unsandboxed',
  use: (bench: Bench, isolation: string) => Promise<T>,
): Promise<T> {
  const service = await startJudgeService(PASSWORD)
  const worker = startChild<WorkerRequest, WorkerReply>(WORKER)
  try {
    const { isolation = '' } = await worker.call({
      ...{ type: 'start', mode },
      ...{ apiUrl: service.url, password: PASSWORD },
    })
    return await use({ service, worker }, isolation)
  } finally {
    await worker.call({ type: 'stop' }).catch(() => undefined)
    await worker.end()
    await service.close()
  }
}

/** Judges submissions, `slots` at a time. Throws unless all are accepted. */
export async function judge({ service, worker }: Bench, ids: readonly string[], slots = 1): Promise<Judged> {
  const cpuMs = readTreeCpuMs(worker.pid)
  const { milliseconds: wallMs = Number.NaN } = await worker.call({ type: 'judge', ids, slots })
  for (const id of ids) {
    const verdict = service.submissions.get(id)?.verdicts.at(-1)
    if (verdict?.status !== 'ACCEPTED')
      throw new Error(`the submission got ${verdict?.status}: ${JSON.stringify(verdict)?.slice(0, 1000)}`)
  }
  return { wallMs, cpuMs: readTreeCpuMs(worker.pid) - cpuMs }
}
