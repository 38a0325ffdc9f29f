import type { Cell } from './cell.ts'

/** The numbers of a cell that are counts, and those that may be NaN. */
const COUNTED = 4
const TIMED = 4

/** The cells of one problem, by the numbers of their owners; empty for an owner without one. */
export class Column {
  #counts = new Uint32Array()
  #times = new Float64Array()

  get bytes(): number {
    return this.#counts.byteLength + this.#times.byteLength
  }

  hasTried(owner: number): boolean {
    return (this.#counts[owner * COUNTED] ?? 0) > 0
  }

  isFrozen(owner: number): boolean {
    return this.#counts[owner * COUNTED + 3] === 1
  }

  acceptedAt(owner: number): number {
    return this.#times[owner * TIMED + 1] ?? Number.NaN
  }

  /** When the first accepted submission of these owners was sent, and the first pending one. */
  earliest(owners: Int32Array): { readonly accepted: number; readonly pending: number } {
    const times = this.#times
    let [accepted, pending] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // Every update looks at all cells: a callback for each took a seventh of the time of an update.
    for (let row = 0; row < owners.length; row += 1) {
      const place = (owners[row] ?? 0) * TIMED
      if (place < 0) continue
      const [pendingSince, acceptedAt] = [times[place] ?? Number.NaN, times[place + 1] ?? Number.NaN]
      if (acceptedAt < accepted) accepted = acceptedAt
      if (pendingSince < pending) pending = pendingSince
    }
    return { accepted, pending }
  }

  read(owner: number): Cell {
    const counts = owner * COUNTED
    const times = owner * TIMED
    return {
      submissions: this.#counts[counts] ?? 0,
      tries: this.#counts[counts + 1] ?? 0,
      pending: this.#counts[counts + 2] ?? 0,
      isFrozen: this.#counts[counts + 3] === 1,
      pendingSince: this.#times[times] ?? Number.NaN,
      acceptedAt: this.#times[times + 1] ?? Number.NaN,
      score: this.#times[times + 2] ?? Number.NaN,
      scoredAt: this.#times[times + 3] ?? Number.NaN,
    }
  }

  /** How many owners have tried and solved the problem. */
  get totals(): { readonly attempted: number; readonly accepted: number } {
    let [attempted, accepted] = [0, 0]
    for (let counts = 0; counts < this.#counts.length; counts += COUNTED) {
      if ((this.#counts[counts] ?? 0) > 0) attempted += 1
    }
    for (let times = 1; times < this.#times.length; times += TIMED) {
      if (!Number.isNaN(this.#times[times])) accepted += 1
    }
    return { attempted, accepted }
  }

  /** Whether this changed the cell. */
  write(owner: number, cell: Cell): boolean {
    if ((owner + 1) * COUNTED > this.#counts.length) this.#grow(owner + 1)
    const [counts, times] = [owner * COUNTED, owner * TIMED]
    const isChanged = [
      put(this.#counts, counts, cell.submissions),
      put(this.#counts, counts + 1, cell.tries),
      put(this.#counts, counts + 2, cell.pending),
      put(this.#counts, counts + 3, Number(cell.isFrozen)),
      put(this.#times, times, cell.pendingSince),
      put(this.#times, times + 1, cell.acceptedAt),
      put(this.#times, times + 2, cell.score),
      put(this.#times, times + 3, cell.scoredAt),
    ]
    return isChanged.includes(true)
  }

  /** An eighth more than needed: owners come one after another. */
  #grow(owners: number): void {
    const length = Math.max(16, owners + (owners >> 3))
    const [counts, times] = [this.#counts, this.#times]
    this.#counts = new Uint32Array(length * COUNTED)
    this.#counts.set(counts)
    this.#times = new Float64Array(length * TIMED).fill(Number.NaN)
    this.#times.set(times)
  }
}

/** Whether this changed the number. */
function put(numbers: Uint32Array | Float64Array, place: number, number: number): boolean {
  const isChanged = !Object.is(numbers[place], number)
  numbers[place] = number
  return isChanged
}
