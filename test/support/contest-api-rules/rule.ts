/** An object of the Contest API, with any properties. */
export type Item = Readonly<Record<string, ReturnType<JSON['parse']>>>

/** A contest as one caller sees it over the Contest API. */
export interface SeenContest {
  readonly objects: ReadonlyMap<string, readonly Item[]>
  readonly access: Item
  /** Undefined if results are closed to the caller. */
  readonly scoreboard: Item | undefined
}

/** Rules by their text. They return the names of what breaks them. */
export type Rules = Readonly<Record<string, (seen: SeenContest) => readonly string[]>>

export const isSet = (value: unknown): boolean => value !== undefined && value !== null

export const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length

export const listOf = ({ objects }: SeenContest, type: string): readonly Item[] => objects.get(type) ?? []

export const contestOf = (seen: SeenContest): Item => listOf(seen, 'contest')[0] ?? {}

export const hasPoints = (seen: SeenContest): boolean => contestOf(seen).scoreboard_type === 'score'

export const findById = (seen: SeenContest, type: string, id: unknown): Item | undefined =>
  listOf(seen, type).find((item) => item.id === id)

export const rowsOf = ({ scoreboard }: SeenContest): readonly Item[] => scoreboard?.rows ?? []

export const cellsOf = (row: Item): readonly Item[] => row.problems ?? []

export const instant = (time: string): number => Date.parse(time)

export function span(reltime: string): number {
  const [, sign, hours, minutes, seconds] = /^(-?)(\d+):(\d\d):(\d\d(?:\.\d{3})?)$/.exec(reltime) ?? []
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000 + Math.round(Number(seconds) * 1000)
  return sign === '-' ? -ms : ms
}
