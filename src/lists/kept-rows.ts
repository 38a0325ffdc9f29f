import { FIELD_END, ROW_END, type RowsForm, type RowsRow } from './rows.ts'

interface KeptRow {
  readonly id: string
  /** Rows with the same text share a rank. */
  readonly rank: string
  readonly place: string
  readonly text: Buffer
}

/** The rows of a polled text as they were at a snapshot, in their order. Never changed. */
export interface KeptRows {
  readonly snapshot: string
  /** They are right as long as the database has this basis, but for rows that have changed. */
  readonly basis: string
  readonly rows: readonly KeptRow[]
  /** An estimate of their memory. */
  readonly bytes: number
}

/** Memory of a row besides its texts. */
const ROW_BYTES = 400

/** The rows after a read: those that were read, and of the kept ones the others. */
export function spliceRows(kept: KeptRows | undefined, read: RowsRow): KeptRows {
  const changed = readRows(read.rows)
  const ids = new Set(changed.map(({ id }) => id))
  const others = (read.is_kept && kept?.rows.filter(({ id }) => !ids.has(id))) || []
  const rows = [...others, ...changed.filter(({ text }) => text.length > 0)].sort(compareRows)
  const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
  return { snapshot: read.snapshot, basis: read.basis, rows, bytes }
}

/** The whole text. Equal rows share a rank, and the next rank is left out, as with `rank()`. */
export function writeRows(
  head: string,
  { rows }: KeptRows,
  { tail, prefix }: Pick<RowsForm, 'tail' | 'prefix'>,
): Buffer {
  const parts: Buffer[] = [Buffer.from(head)]
  let rank = 0
  for (const [index, row] of rows.entries()) {
    if (row.rank !== rows[index - 1]?.rank) rank = index + 1
    parts.push(Buffer.from(`${index === 0 ? '' : ','}${prefix(rank)}`), row.text)
  }
  return Buffer.concat([...parts, Buffer.from(tail)])
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
