import type { Attempts, Outcome } from './cell.ts'

/**
 * The submission that tells how far somebody is with a problem (D35): the latest accepted one, else
 * the latest; undefined: none counts. Frozen submissions tell their own author.
 */
export function tellingOutcome({
  countedUntil,
  outcomes,
}: Omit<Attempts, 'frozenFrom'>): Outcome | undefined {
  const counted = outcomes.filter(([sentAt]) => countedUntil !== null && sentAt < countedUntil)
  const accepted = counted.filter(([, status]) => status === 'ACCEPTED')
  const [first, ...others] = accepted.length > 0 ? accepted : counted
  return others.reduce((latest, one) => (latest !== undefined && latest[0] >= one[0] ? latest : one), first)
}
