import type { Standings } from './standings.ts'

/**
 * The ids of rows with a rank above `after` and up to `upTo`, in their order. Those who share a
 * rank share an award; a row without any result wins none.
 */
export function winners(standings: Standings, after: number, upTo: number): string[] {
  const { order, ranks, owners, scoring } = standings
  return order.flatMap((row, place) => {
    const rank = ranks[place] ?? 0
    const wins = rank > after && rank <= upTo && scoring.hasScored(standings.resultOf(row))
    return wins ? [owners[row]?.id ?? ''] : []
  })
}

/** The ids of those who have the first solution of a problem for certain, in their order. */
export function firstSolvers(standings: Standings, problem: number): string[] {
  return standings
    .firstRows(problem)
    .map((row) => standings.owners[row]?.id ?? '')
    .sort()
}
