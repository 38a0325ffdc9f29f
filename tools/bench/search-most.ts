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
  readonly shares: Readonly<
    Record<'service' | 'PostgreSQL' | 'generator' | 'worker' | 'whole machine', number | undefined>
  >
  readonly serviceLagMs: number
  readonly generatorLagMs: number
  /** Nothing failed, and it was quick enough. */
  readonly holds: boolean
}

/** How much of a core, or of all of them, is as good as all of it. */
const NEARLY_ALL = 0.85

/** In words, what the first step ran into that was too much; undefined where every step was carried. */
export function nameLimit(steps: readonly ContestStep[], cores: number): string | undefined {
  const failing = steps.filter(({ holds }) => !holds).sort((one, other) => one.people - other.people)
  const [first] = failing
  if (first === undefined) return undefined
  const {
    service = 0,
    PostgreSQL = 0,
    generator = 0,
    worker = 0,
    'whole machine': machine = 0,
  } = first.shares
  const own = service + PostgreSQL + generator + worker
  if (service >= NEARLY_ALL) return 'the one core that the Node process of the service can use'
  if (machine < NEARLY_ALL * cores)
    return 'waiting: neither the service nor the machine was short of processors'
  return own >= NEARLY_ALL * machine
    ? 'the processors of the machine, which the service shares with PostgreSQL, the worker and the generator'
    : `the processors of the machine, of which other programs took ${(machine - own).toFixed(1)}`
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
