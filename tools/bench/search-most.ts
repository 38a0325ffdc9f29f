import type { Act } from './generator/contestant.ts'

/** One step of the contest test. */
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
  /** CPU time per second: the used share of the machine's cores. */
  readonly shares: Readonly<
    Record<'service' | 'PostgreSQL' | 'generator' | 'worker' | 'whole machine', number | undefined>
  >
  readonly serviceLagMs: number
  readonly generatorLagMs: number
  /** Nothing failed, and the responses were fast enough. */
  readonly holds: boolean
}

const NEARLY_ALL = 0.85

/** Describes the limit that the first failing step reached; undefined if no step failed. */
export function nameLimit(steps: readonly ContestStep[], cores: number): string | undefined {
  const [first] = steps.filter(({ holds }) => !holds).sort((one, other) => one.people - other.people)
  if (first === undefined) return undefined
  const { service = 0, PostgreSQL = 0, generator = 0, worker = 0, ...others } = first.shares
  const machine = others['whole machine'] ?? 0
  const own = service + PostgreSQL + generator + worker
  if (service >= NEARLY_ALL) return 'the one core that the Node process of the service can use'
  if (machine < NEARLY_ALL * cores) return 'waiting: neither the service nor the machine was busy'
  return own >= NEARLY_ALL * machine
    ? 'the cores of the machine, shared by the service, PostgreSQL, the worker and the generator'
    : `the cores of the machine, of which other programs used ${(machine - own).toFixed(1)}`
}

/**
 * Finds the most people with whom a step holds: doubles them until a step fails, then halves the
 * gap down to a tenth. Returns all steps in their order.
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
