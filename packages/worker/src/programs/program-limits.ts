import type { JudgingOptions } from '../service/judging-options.ts'
import { MIB } from '../shared/worker-settings.ts'
import type { TestCase } from '../tests/test-set.ts'

export interface ProgramLimits {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  /** `memory_limit` of the problem. */
  readonly memoryMib: number
}

/** The limit of outputs, unless the problem has its own or a test case expects more. */
const OUTPUT_BYTES = 16 * MIB

/**
 * The limits for a problem's programs (D17), in seconds and MiB. The CPU limit is the smaller
 * timeout. On a busy machine, too, only programs that sleep should reach the wall limit.
 */
export function makeProgramLimits(problem: {
  readonly accept_timeout: number
  readonly execution_timeout: number
  readonly memory_limit: number
}): ProgramLimits {
  const cpuSeconds = Math.min(problem.accept_timeout, problem.execution_timeout)
  return makeLimits(cpuSeconds, problem.accept_timeout, problem.memory_limit)
}

/** The limits with `factor` times the time. */
export function multiplyTime(limits: ProgramLimits, factor: number): ProgramLimits {
  return makeLimits(limits.cpuSeconds * factor, limits.wallSeconds * factor, limits.memoryMib)
}

function makeLimits(cpuSeconds: number, wallSeconds: number, memoryMib: number): ProgramLimits {
  return { cpuSeconds, wallSeconds: Math.max(wallSeconds, 2 * cpuSeconds + 1), memoryMib }
}

/** The limit of a program's output. */
export function limitOutput({ limits }: JudgingOptions, { answerBytes }: TestCase): number {
  return limits?.output === undefined ? Math.max(OUTPUT_BYTES, 2 * answerBytes) : limits.output * MIB
}
