/** An object of the Contest API, with any properties. */
export type Item = Readonly<Record<string, ReturnType<JSON['parse']>>>

/** A contest as one caller sees it over the Contest API. */
export interface SeenContest {
  /** By type; `contest` and `state` have one object each. */
  readonly objects: ReadonlyMap<string, readonly Item[]>
  readonly access: Item
  /** Undefined if results are closed to the caller. */
  readonly scoreboard: Item | undefined
}

export interface Rule {
  readonly text: string
  /** The names of what breaks the rule. */
  readonly find: (seen: SeenContest) => readonly string[]
}

export const isSet = (value: unknown): boolean => value !== undefined && value !== null

export const listOf = ({ objects }: SeenContest, type: string): readonly Item[] => objects.get(type) ?? []

export const contestOf = (seen: SeenContest): Item => listOf(seen, 'contest')[0] ?? {}

export const stateOf = (seen: SeenContest): Item => listOf(seen, 'state')[0] ?? {}

export const hasPoints = (seen: SeenContest): boolean => contestOf(seen).scoreboard_type === 'score'

export const findById = (seen: SeenContest, type: string, id: unknown): Item | undefined =>
  listOf(seen, type).find((item) => item.id === id)

/** A rule for every object of a type. */
export const each = (
  type: string,
  text: string,
  keeps: (item: Item, seen: SeenContest) => boolean,
): Rule => ({
  text: `${type}: ${text}`,
  find: (seen) =>
    listOf(seen, type)
      .filter((item) => !keeps(item, seen))
      .map(({ id }) => String(id ?? type)),
})

/** A rule for every row of the scoreboard. */
export const eachRow = (
  text: string,
  keeps: (row: Item, seen: SeenContest, place: number) => boolean,
): Rule => ({
  text: `scoreboard: ${text}`,
  find: (seen) =>
    rowsOf(seen).flatMap((row, place) => (keeps(row, seen, place) ? [] : [String(row.team_id)])),
})

/** A rule for every cell of the scoreboard. */
export const eachCell = (text: string, keeps: (cell: Item, seen: SeenContest) => boolean): Rule => ({
  text: `scoreboard: ${text}`,
  find: (seen) =>
    rowsOf(seen).flatMap((row) =>
      cellsOf(row)
        .filter((cell) => !keeps(cell, seen))
        .map((cell) => `${row.team_id} ${cell.problem_id}`),
    ),
})

export const rowsOf = ({ scoreboard }: SeenContest): readonly Item[] => scoreboard?.rows ?? []

export const cellsOf = (row: Item): readonly Item[] => row.problems ?? []

export const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length

/** Milliseconds of a TIME. */
export const instant = (time: string): number => Date.parse(time)

/** Milliseconds of a RELTIME. */
export function span(reltime: string): number {
  const [, sign, hours, minutes, seconds] = /^(-?)(\d+):(\d\d):(\d\d(?:\.\d{3})?)$/.exec(reltime) ?? []
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000 + Math.round(Number(seconds) * 1000)
  return sign === '-' ? -ms : ms
}
