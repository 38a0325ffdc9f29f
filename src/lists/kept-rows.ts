import { FIELD_END, ROW_END, type RowsForm, type RowsRow } from './rows.ts'
import { TextInParts } from './text-in-parts.ts'

interface KeptRow {
  readonly id: string
  /** Rows with the same text share a rank. */
  readonly rank: string
  readonly place: string
  readonly text: Buffer
}

/** The rows in their order, and the rank of each: equal rows share it, as with `rank()`. */
interface RankedRows {
  readonly rows: readonly KeptRow[]
  readonly ranks: readonly number[]
}

/** A polled text and its rows as they were at a snapshot. Never changed. */
export interface KeptRows extends RankedRows {
  readonly snapshot: string
  /** The rows are right as long as the database has this basis, but for those that have changed. */
  readonly basis: string
  /** The head, the rows in groups, and the tail. */
  readonly text: TextInParts
  /** An estimate of the memory of the rows. */
  readonly bytes: number
}

/** Memory of a row besides its texts. */
const ROW_BYTES = 400

/** A row that changes its place changes all parts from the old to the new place. */
const ROWS_IN_PART = 64

/**
 * The text after a read: the rows that were read, and the other rows as they were kept. A part that
 * equals a part of the same list for another audience is kept in memory once.
 */
export function spliceRows(
  kept: KeptRows | undefined,
  read: RowsRow,
  form: Pick<RowsForm, 'tail' | 'prefix'>,
  ofOthers?: KeptRows,
): KeptRows {
  const rows = mergeRows((read.is_kept && kept?.rows) || [], shareRows(readRows(read.rows), ofOthers))
  const ranked = { rows, ranks: rankRows(rows) }
  const groups = writeRows(
    ranked,
    form,
    [kept, ofOthers].filter((known) => known !== undefined),
  )
  const text = new TextInParts([Buffer.from(read.head), ...groups, Buffer.from(form.tail)])
  const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
  return { snapshot: read.snapshot, basis: read.basis, ...ranked, text, bytes }
}

/** The kept rows are in order; a changed one without a text has gone. */
function mergeRows(kept: readonly KeptRow[], changed: readonly KeptRow[]): KeptRow[] {
  const ids = new Set(changed.map(({ id }) => id))
  const added = changed.filter(({ text }) => text.length > 0).sort(compareRows)
  const merged: KeptRow[] = []
  let next = added[0]
  let taken = 0
  for (const row of kept) {
    if (ids.has(row.id)) continue
    while (next !== undefined && compareRows(next, row) < 0) {
      merged.push(next)
      taken += 1
      next = added[taken]
    }
    merged.push(row)
  }
  return merged.concat(added.slice(taken))
}

/** Replaces rows by equal ones that are in memory already. */
function shareRows(rows: readonly KeptRow[], ofOthers: KeptRows | undefined): readonly KeptRow[] {
  if (ofOthers === undefined || rows.length === 0) return rows
  const known = new Map(ofOthers.rows.map((row) => [row.id, row]))
  return rows.map((row) => {
    const other = known.get(row.id)
    const isEqual = other?.rank === row.rank && other.place === row.place && other.text.equals(row.text)
    return isEqual ? other : row
  })
}

/** The rows in groups; one that is in a known text at the same place is not written again. */
function writeRows(
  ranked: RankedRows,
  { prefix }: Pick<RowsForm, 'prefix'>,
  known: readonly KeptRows[],
): Buffer[] {
  const { rows, ranks } = ranked
  return Array.from({ length: Math.ceil(rows.length / ROWS_IN_PART) }, (_, number) => {
    const start = number * ROWS_IN_PART
    const same = known.find((other) => isSame(other, ranked, start))?.text.parts[number + 1]
    if (same !== undefined) return same
    const written = rows.slice(start, start + ROWS_IN_PART).flatMap(({ text }, place) => {
      const index = start + place
      return [Buffer.from(`${index === 0 ? '' : ','}${prefix(ranks[index] ?? 0)}`), text]
    })
    return Buffer.concat(written)
  })
}

/** Whether the group that begins with this row has the same rows and ranks. */
function isSame(one: RankedRows, other: RankedRows, start: number): boolean {
  for (let index = start; index < start + ROWS_IN_PART; index += 1) {
    if (one.rows[index] !== other.rows[index] || one.ranks[index] !== other.ranks[index]) return false
  }
  return true
}

function rankRows(rows: readonly KeptRow[]): number[] {
  let rank = 0
  return rows.map((row, index) => {
    if (row.rank !== rows[index - 1]?.rank) rank = index + 1
    return rank
  })
}

function readRows(rows: string | null): KeptRow[] {
  if (rows === null) return []
  return rows.split(ROW_END).map((line) => {
    const [id = '', rank = '', place = '', text = ''] = line.split(FIELD_END)
    return { id: copyText(id), rank: copyText(rank), place: copyText(place), text: copyBytes(text) }
  })
}

/** A part of a text keeps the whole text in memory, and a short buffer shares a larger one. */
const copyText = (text: string) => Buffer.from(text, 'latin1').toString('latin1')

function copyBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

const bytesOf = ({ id, rank, place, text }: KeptRow) =>
  ROW_BYTES + id.length + rank.length + place.length + text.length

/** The texts are ASCII: their order is that of their bytes. */
function compareRows(a: KeptRow, b: KeptRow): number {
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1
  return a.place < b.place ? -1 : 1
}
