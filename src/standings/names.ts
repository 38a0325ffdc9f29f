/** A user or team of the standings. */
export interface Named {
  readonly id: string
  readonly name: string
  /** The name at the end of the contest; null or absent: it is the same. */
  readonly nameAtEnd?: string | null
}

/** The order of names that tools of the field use (Contest API, Scoreboard format). */
const collator = new Intl.Collator('en-US')

/** The order of those who share a rank: by their names at the end, then by id (P22). */
export const compareNames = (a: Named, b: Named): number =>
  collator.compare(a.nameAtEnd ?? a.name, b.nameAtEnd ?? b.name) || (a.id < b.id ? -1 : Number(a.id > b.id))
