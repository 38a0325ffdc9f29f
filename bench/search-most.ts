import type { Act } from './generator/contestant.ts'

/** One step of the load test: so many people at once, and how they fared. */
export interface ContestStep {
  readonly people: number
  readonly requestsPerSecond: number
  readonly mebibytesPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p99MsOf: Readonly<Record<Act, number>>
  readonly failures: Readonly<Record<string, number>>
  /** Verdicts that were stored meanwhile. */
  readonly judged: number
  /** Cores that each took, of those that the machine has. */
  readonly shares: Readonly<Record<string, number | undefined>>
  readonly serviceLagMs: number
  readonly generatorLagMs: number
  /** Nothing failed, and it was quick enough. */
  readonly holds: boolean
}

/**
 * Finds the most people with whom a step holds: doubles them from the first on until one does not, then halves the gap until it is a tenth.
 * Answers all steps in their order.
 */
export async function findMost<Step extends Pick<ContestStep, 'holds'>>(
  { first, most }: { readonly first: number; readonly most: number },
  tryWith: (people: number) => Promise<Step>,
): Promise<Step[]> {
  const steps: Step[] = []
  const holdsWith = async (people: number) => {
    const step = await tryWith(people)
    steps.push(step)
    return step.holds
  }
  let holds = 0
  let fails = first
  while (fails <= most && (await holdsWith(fails))) {
    holds = fails
    fails *= 2
  }
  fails = Math.min(fails, most + 1)
  while (fails - holds > Math.max(1, holds / 10)) {
    const middle = Math.round((holds + fails) / 2)
    if (await holdsWith(middle)) holds = middle
    else fails = middle
  }
  return steps
}
