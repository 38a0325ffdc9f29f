import type { Standings } from './standings.ts'

/**
 * The next cell that a thaw reveals: the first frozen one of the last row that has one (P23);
 * undefined: no cell is frozen. The standings are as they are shown during the freeze.
 */
export function nextReveal(standings: Standings) {
  const { order, owners, rules } = standings
  for (const row of order.toReversed()) {
    const owner = owners[row]
    const problem_id = rules.problemIds.find((_, place) => standings.isFrozen(row, place))
    if (owner !== undefined && problem_id !== undefined)
      return { owner: { id: owner.id, name: owner.name }, problem_id }
  }
  return undefined
}
