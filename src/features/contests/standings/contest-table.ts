import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import { found } from '../../../http/routing/responses.ts'
import { Cells, type ProblemAttempts } from '../../../standings/cells.ts'
import { compareNames, type Named } from '../../../standings/names.ts'
import { sortInSlices } from '../../../standings/slices.ts'
import { type ContestRules, Standings } from '../../../standings/standings.ts'
import type { ContestFacts, ReadFacts, ReadRow } from './read-sql.ts'
import { RowTexts } from './row-texts.ts'

/** Users or teams with their names, as a reading has them. */
type People = readonly (readonly [id: string, name: string, nameAtEnd: string | null])[]

/** A cell as a reading has it. */
type ReadCell = readonly [
  ownerId: string,
  countedUntil: number | null,
  frozenFrom: number | null,
  outcomes: ProblemAttempts['owners'][number]['attempts'][number]['outcomes'],
]

/**
 * The counted cells of one contest, by user or by team, live or as they are shown in a freeze, and
 * the standings made of them. An instance keeps it, and reads only changed cells again.
 */
export class ContestTable {
  /** One request at a time updates the table and writes a text from it. */
  readonly turn = pLimit(1)
  readonly #isLive: boolean
  #position: Pick<ReadFacts, 'basis' | 'snapshot' | 'people_version'> | undefined
  #rules: ContestRules | undefined
  #cells: Cells
  /** JSON of `People`. */
  #people = '[]'
  #standings: Standings | undefined
  /** Whose cells have changed since the standings were counted. */
  #changed = new Set<string>()
  readonly #texts = new Map<string, { readonly basis: unknown; readonly texts: RowTexts }>()

  constructor(isLive: boolean) {
    this.#isLive = isLive
    this.#cells = new Cells(isLive)
  }

  /** An estimate of the memory. */
  get bytes(): number {
    const texts = [...this.#texts.values()].reduce((sum, { texts }) => sum + texts.bytes, 0)
    return this.#cells.bytes + (this.#standings?.bytes ?? 0) + this.#people.length + texts
  }

  /** With these parameters, a statement reads only what has changed since the last update. */
  get position() {
    const { basis = null, snapshot = null, people_version = null } = this.#position ?? {}
    return { kept_basis: basis, kept_snapshot: snapshot, kept_people: people_version }
  }

  get cells(): Cells {
    return this.#cells
  }

  /** Updates the table from rows that were read at `position`. Returns the facts of the contest. */
  async update<F extends ContestFacts>(rows: readonly ReadRow[]): Promise<F> {
    const head = found(
      rows.filter(({ facts }) => facts !== null),
      'event',
    )
    const { contest, is_kept, ...position }: ReadFacts<F> = JSON.parse(head.facts ?? '')
    const rules = rulesOf(contest)
    if (!is_kept) {
      this.#cells = new Cells(this.#isLive)
      this.#texts.clear()
    }
    const hasNewPeople = head.people !== null && head.people !== this.#people
    this.#people = head.people ?? this.#people
    const isSame = is_kept && !hasNewPeople && isDeepStrictEqual(rules, this.#rules)
    if (!isSame) this.#dropStandings()
    this.#rules = rules
    // If this fails, the next statement reads all cells.
    this.#position = undefined
    await this.replace(attemptsIn(rows))
    this.#position = position
    return contest
  }

  /** Counts these cells again; each has all attempts of its owner. */
  async replace(attempts: Iterable<ProblemAttempts>): Promise<void> {
    for (const ownerId of await this.#cells.update(attempts)) this.#changed.add(ownerId)
  }

  /** The standings as of the last update. */
  async standings(): Promise<Standings> {
    if (this.#rules === undefined) throw new Error('a table must be read first')
    if (this.#standings === undefined) {
      const people: People = JSON.parse(this.#people)
      const named = people.map(([id, name, nameAtEnd]): Named => ({ id, name, nameAtEnd }))
      const standings = new Standings(this.#rules, await sortInSlices(named, compareNames), this.#cells)
      await standings.update()
      this.#standings = standings
    } else if (this.#changed.size > 0) await this.#standings.update(this.#changed)
    this.#changed.clear()
    return this.#standings
  }

  #dropStandings(): void {
    for (const [name, { basis }] of this.#texts) if (basis === this.#standings) this.#texts.delete(name)
    this.#standings = undefined
  }

  /**
   * The texts of rows by the name of their form. They are kept as long as `basis` is the same: it
   * stands for all that a row shows besides its revision.
   */
  rowTexts(name: string, basis: unknown, options: { keepsRows: boolean }): RowTexts {
    const kept = this.#texts.get(name)
    if (kept !== undefined && kept.basis === basis) return kept.texts
    const texts = new RowTexts(options)
    this.#texts.set(name, { basis, texts })
    return texts
  }
}

/** Only problems that are neither hidden nor deleted have columns (P22). */
export const rankedProblems = ({ problems }: ContestFacts) =>
  problems.filter(({ hidden, deleted }) => !hidden && !deleted)

const rulesOf = (contest: ContestFacts): ContestRules => ({
  scoring: contest.scoring,
  startTime: contest.start_time,
  penaltyMinutes: contest.penalty_minutes,
  problemIds: rankedProblems(contest).map(({ problem_id }) => problem_id),
  fullScores: rankedProblems(contest).map(({ points, max_score }) => ({ points, maxScore: max_score })),
})

function* attemptsIn(rows: readonly ReadRow[]): Generator<ProblemAttempts> {
  for (const { cells } of rows) {
    if (cells === null) continue
    const [problemId, read]: readonly [number, readonly ReadCell[]] = JSON.parse(cells)
    yield { problemId, owners: ownersIn(read) }
  }
}

/** The cells of an owner follow one another. */
function ownersIn(read: readonly ReadCell[]): ProblemAttempts['owners'] {
  const owners: { id: string; attempts: ProblemAttempts['owners'][number]['attempts'][number][] }[] = []
  for (const [id, countedUntil, frozenFrom, outcomes] of read) {
    const attempts = { countedUntil, frozenFrom, outcomes }
    const last = owners.at(-1)
    if (last?.id === id) last.attempts.push(attempts)
    else owners.push({ id, attempts: [attempts] })
  }
  return owners
}
