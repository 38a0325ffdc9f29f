import type { Standings } from './standings.ts'

/** A row whose rank has changed. */
export interface MovedRank {
  readonly id: string
  readonly from: number
  readonly to: number
}

/** The ranks by the ids of the owners. */
export const ranksOf = ({ order, ranks, owners }: Standings): ReadonlyMap<string, number> =>
  new Map(order.map((row, place) => [owners[row]?.id ?? '', ranks[place] ?? 0]))

/** The rows that have moved between two versions, by their former rank, then by id. */
export function movedRanks(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): MovedRank[] {
  const moved = [...before].flatMap(([id, from]) => {
    const to = after.get(id) ?? from
    return to === from ? [] : [{ id, from, to }]
  })
  return moved.sort((a, b) => a.from - b.from || (a.id < b.id ? -1 : 1))
}
