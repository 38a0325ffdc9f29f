import { type Attempts, countCell } from './cell.ts'
import { Column } from './column.ts'
import { CELLS_IN_SLICE, pause } from './slices.ts'

/** What owners have done at one problem: users, or teams with the attempts of all members. */
export interface ProblemAttempts {
  readonly problemId: number
  readonly owners: readonly { readonly id: string; readonly attempts: readonly Attempts[] }[]
}

/** Memory of an owner's id. */
const OWNER_BYTES = 150

/**
 * The counted cells of a contest, of users or of teams, as some readers see them. It keeps no
 * outcomes: attempts that have changed are counted again as a whole.
 */
export class Cells {
  /** Frozen submissions count as they were judged. */
  readonly isLive: boolean
  /** By the numbers of owners: changes with each change of a cell. */
  readonly revisions: number[] = []
  readonly #numbers = new Map<string, number>()
  readonly #inOrder: number[] = []
  readonly #columns = new Map<number, Column>()

  constructor(isLive: boolean) {
    this.isLive = isLive
  }

  /** An estimate of the memory. */
  get bytes(): number {
    const columns = [...this.#columns.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    return columns + this.#numbers.size * OWNER_BYTES
  }

  /** Those with a submission, also with one that does not count. */
  get ownerIds(): string[] {
    return [...this.#numbers.keys()]
  }

  /** The numbers of the owners in the order of their ids. */
  get inOrder(): readonly number[] {
    const ids = this.ownerIds
    for (let number = this.#inOrder.length; number < ids.length; number += 1) this.#inOrder.push(number)
    // Nothing moves unless owners have come, and then only they do.
    return this.#inOrder.sort((a, b) => ((ids[a] ?? '') < (ids[b] ?? '') ? -1 : Number(a !== b)))
  }

  /** The number of an owner in each column; undefined: the owner has no cell. */
  numberOf(ownerId: string): number | undefined {
    return this.#numbers.get(ownerId)
  }

  columnOf(problemId: number): Column | undefined {
    return this.#columns.get(problemId)
  }

  /** Counts attempts in slices; the owners of cells that this has changed. */
  async update(changed: Iterable<ProblemAttempts>): Promise<ReadonlySet<string>> {
    const changedOwners = new Set<string>()
    let counted = 0
    for (const { problemId, owners } of changed) {
      const column = this.#columns.get(problemId) ?? new Column()
      this.#columns.set(problemId, column)
      for (const { id, attempts } of owners) {
        const number = this.#numberFor(id)
        if (column.write(number, countCell(attempts, this.isLive))) {
          this.revisions[number] = (this.revisions[number] ?? 0) + 1
          changedOwners.add(id)
        }
        counted += 1
        if (counted % CELLS_IN_SLICE === 0) await pause()
      }
    }
    return changedOwners
  }

  #numberFor(ownerId: string): number {
    const number = this.#numbers.get(ownerId) ?? this.#numbers.size
    this.#numbers.set(ownerId, number)
    return number
  }
}
