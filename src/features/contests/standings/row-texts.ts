import { TextInParts } from '../../../lists/text-in-parts.ts'
import { CELLS_IN_SLICE, inSlices } from '../../../standings/slices.ts'

/** The rows of a text in their order, by numbers that stay the same. */
export interface RankedRows {
  readonly order: readonly number[]
  /** The rank of each place of `order`. */
  readonly ranks: ArrayLike<number>
  /** By the number of a row: changes whenever its text does. */
  readonly revisions: ArrayLike<number>
  /** The most cells of a row. */
  readonly cellsInRow: number
}

/** How the rows of a table are written. */
export interface RowForm {
  /** The text of a row before `write`, by its rank. */
  readonly prefix: (rank: number) => string
  /** The text of the row with this number after its rank. */
  readonly write: (row: number) => string
  /** Between two rows. */
  readonly separator: string
}

const NOT_WRITTEN = Buffer.alloc(0)

/** A row that changes its place changes all parts from the old to the new place. */
const ROWS_IN_PART = 64

/**
 * The texts of the rows of a table. The parts of the whole text are shared by its versions: each is
 * written and compressed once. Where rows move, their texts are kept too; else a part is written
 * again as a whole.
 */
export class RowTexts {
  readonly #keepsRows: boolean
  /** By the number of a row, if they are kept. */
  #texts: Buffer[] = []
  /** The revisions of `#texts`. */
  #written = new Uint32Array()
  #parts: readonly Buffer[] = []
  /** The rows of the parts in their order, with their ranks and revisions. */
  #places = new Uint32Array()

  constructor({ keepsRows }: { readonly keepsRows: boolean }) {
    this.#keepsRows = keepsRows
  }

  /** An estimate of the memory. */
  get bytes(): number {
    const texts = this.#texts.reduce((sum, text) => sum + text.length, 0)
    const parts = this.#parts.reduce((sum, part) => sum + part.length, 0)
    return texts + parts + this.#places.byteLength + this.#written.byteLength
  }

  /** The whole text, in slices of work. */
  async write(rows: RankedRows, form: RowForm, head: string, tail: string): Promise<TextInParts> {
    const { order, ranks, revisions, cellsInRow } = rows
    const rowsInSlice = Math.ceil(CELLS_IN_SLICE / (cellsInRow + 1))
    if (this.#keepsRows && this.#written.length === 0) {
      this.#texts = Array.from(revisions, () => NOT_WRITTEN)
      this.#written = new Uint32Array(revisions.length)
    }
    const isOutdated = (row: number) => this.#written[row] !== revisions[row]
    const outdated = this.#keepsRows ? order.filter(isOutdated) : []
    await inSlices(outdated.length, rowsInSlice, (place) => {
      const row = outdated[place] ?? 0
      this.#texts[row] = ownBuffer(form.write(row))
      this.#written[row] = revisions[row] ?? 0
    })
    const places = new Uint32Array(order.length * 3)
    // Every update looks at all rows: an iterator would take longer.
    for (let place = 0; place < order.length; place += 1) {
      const row = order[place] ?? 0
      places[place * 3] = row
      places[place * 3 + 1] = ranks[place] ?? 0
      places[place * 3 + 2] = revisions[row] ?? 0
    }
    const parts: Buffer[] = []
    const partsInSlice = this.#keepsRows ? ROWS_IN_PART : Math.ceil(rowsInSlice / ROWS_IN_PART)
    await inSlices(Math.ceil(order.length / ROWS_IN_PART), partsInSlice, (number) => {
      const start = number * ROWS_IN_PART
      const known = isSame(places, this.#places, start) ? this.#parts[number] : undefined
      parts.push(known ?? this.#writePart(rows, form, start))
    })
    this.#parts = parts
    this.#places = places
    return new TextInParts([Buffer.from(head), ...parts, Buffer.from(tail)])
  }

  #writePart({ order, ranks }: RankedRows, form: RowForm, start: number): Buffer {
    const end = Math.min(order.length, start + ROWS_IN_PART)
    const texts: Buffer[] = []
    for (let place = start; place < end; place += 1) {
      const row = order[place] ?? 0
      const separator = place === 0 ? '' : form.separator
      texts.push(Buffer.from(separator + form.prefix(ranks[place] ?? 0)))
      texts.push(this.#texts[row] ?? Buffer.from(form.write(row)))
    }
    return Buffer.concat(texts)
  }
}

/** `Buffer.from` cuts short texts out of a shared buffer, which one kept text would keep alive. */
function ownBuffer(text: string): Buffer {
  const buffer = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  buffer.write(text)
  return buffer
}

/** Whether the part that begins at this place has the same rows, ranks and revisions. */
function isSame(places: Uint32Array, former: Uint32Array, start: number): boolean {
  const end = Math.min(places.length, (start + ROWS_IN_PART) * 3)
  if (end !== Math.min(former.length, (start + ROWS_IN_PART) * 3)) return false
  for (let index = start * 3; index < end; index += 1) if (places[index] !== former[index]) return false
  return true
}
