import { open } from 'node:fs/promises'
import type { Schemas } from '@judge-data-layer/client'
import { describeEnd, type Task } from '../programs/program.ts'
import type { ExceededLimit, RunResult } from '../sandbox/sandbox.ts'
import { MIB } from '../shared/worker-settings.ts'
import type { TestCase } from '../tests/test-set.ts'

/** The statuses that this worker gives (D23). */
export type Status = Schemas['VerdictBody']['status']

/** What a validator says about the score of an accepted test case. */
export type CaseScore = { readonly multiplier: number } | { readonly points: number }

/** The result of one test case, without the texts of the test case. */
export interface CaseResult {
  readonly testCase: Pick<TestCase, 'id' | 'hidden'>
  readonly status: Status
  /** The first bytes of the outputs. */
  readonly stdout: Buffer
  readonly stderr: Buffer
  /** Such as "exit code 1". */
  readonly end: string
  readonly cpuMs: number
  readonly peakMemoryBytes: number
  readonly score?: CaseScore
  readonly judgeMessage?: string
  readonly teamMessage?: string
  /** The messages of an interactive problem, for judges and admins. */
  readonly transcript?: string
}

/** How much of an output a result keeps. */
export const SHOWN_BYTES = 64 * 1024

const STATUS_OF_LIMIT: Record<ExceededLimit, Status> = {
  time: 'TIME_LIMIT_EXCEEDED',
  memory: 'MEMORY_LIMIT_EXCEEDED',
  output: 'OUTPUT_LIMIT_EXCEEDED',
}

/** The status of a program that crashed or exceeded a limit, else undefined. */
export function findFailure(result: RunResult, task: Task): Status | undefined {
  if (result.exceeded) return STATUS_OF_LIMIT[result.exceeded]
  if (result.exitCode === 0) return undefined
  return hasRunOutOfMemory(result, task) ? 'MEMORY_LIMIT_EXCEEDED' : 'RUNTIME_ERROR'
}

/** A runtime reports its end in a text. Any program can print that: the kernel must confirm it. */
function hasRunOutOfMemory({ stderr, peakMemoryBytes, kernelSignal }: RunResult, task: Task): boolean {
  const { outOfMemoryText } = task.language
  if (outOfMemoryText === undefined || !stderr.includes(outOfMemoryText)) return false
  return kernelSignal === 'SIGABRT' || peakMemoryBytes >= task.limits.memoryMib * MIB
}

/** Keeps the first bytes of the outputs. `stdout` replaces the run's. */
export function makeCaseResult(
  { id, hidden }: TestCase,
  run: RunResult,
  status: Status,
  stdout = run.stdout,
): CaseResult {
  return {
    testCase: { id, hidden },
    status,
    stdout: keepFirst(stdout),
    stderr: keepFirst(run.stderr),
    end: describeEnd(run),
    cpuMs: run.cpuMs,
    peakMemoryBytes: run.peakMemoryBytes,
  }
}

/** A copy: a part would keep the whole buffer in memory. One byte more shows that it is cut. */
function keepFirst(output: Buffer): Buffer {
  return Buffer.from(output.subarray(0, SHOWN_BYTES + 1))
}

/** The first bytes of an output on disk. */
export async function readFirst(file: string): Promise<Buffer> {
  const handle = await open(file)
  const reading = handle.read(Buffer.alloc(SHOWN_BYTES + 1), 0, SHOWN_BYTES + 1, 0)
  const { buffer, bytesRead } = await reading.finally(() => handle.close())
  return buffer.subarray(0, bytesRead)
}
