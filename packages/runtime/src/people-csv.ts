import { CsvError, parse } from 'csv-parse/sync'
import { distance } from 'fastest-levenshtein'

const REQUIRED = ['name', 'email'] as const
const SEPARATORS = [',', ';', '\t'] as const

type Column = (typeof REQUIRED)[number] | 'password' | 'team' | 'extra_minutes' | 'hidden'

/** A row as it is in the file. Columns that the file does not have are absent. */
export interface PersonRow {
  /** The number of its last line in the file. */
  readonly line: number
  readonly cells: Readonly<Partial<Record<Column, string>>>
}

/** The errors for faults of a file, in the words of its reader. */
export interface PeopleFaults {
  readonly empty: () => Error
  /** A row has more or fewer cells than the header. */
  readonly uneven: (line: number) => Error
  /** The reason can contain cells. */
  readonly malformed: (line: number, reason: string) => Error
  readonly repeated: (column: Column) => Error
  readonly missing: (column: Column) => Error
  /** An unknown column whose name resembles one. */
  readonly similar: (name: string, column: Column) => Error
}

export interface PeopleReader {
  /** Others are ignored, with a warning. */
  readonly columns: readonly Column[]
  /** Rows after so many are not read. */
  readonly mostRows?: number
  readonly faults: PeopleFaults
}

/** The separator in the first line. Spreadsheets of some countries write semicolons. */
export function findSeparator(text: string): (typeof SEPARATORS)[number] | undefined {
  const [header = ''] = text.split(/\r?\n/, 1)
  return SEPARATORS.find((separator) => header.includes(separator))
}

/**
 * Reads the people of a CSV file. The first row names the columns, in any order and case. A warning
 * names the ignored ones. Throws an error of `faults`.
 */
export function readPeopleCsv(text: string, { columns, mostRows, faults }: PeopleReader) {
  const [header, ...rows] = parseRows(text, mostRows, faults)
  if (header === undefined) throw faults.empty()
  const names = header.cells.map((name) => name.trim().toLowerCase())
  const repeated = columns.find((column) => names.indexOf(column) !== names.lastIndexOf(column))
  if (repeated !== undefined) throw faults.repeated(repeated)
  const unknown = header.cells.filter((_, i) => !columns.some((column) => column === names[i]))
  for (const name of unknown) {
    const column = columns.find((one) => isSimilar(name, one))
    if (column !== undefined) throw faults.similar(name.trim(), column)
  }
  const missing = REQUIRED.find((column) => !names.includes(column))
  if (missing !== undefined) throw faults.missing(missing)
  const known = columns.filter((column) => names.includes(column))
  const people: PersonRow[] = rows.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(known.map((column) => [column, cells[names.indexOf(column)] ?? ''])),
  }))
  return { rows: people, warnings: describeIgnored(unknown) }
}

/** Case, spaces and signs make no difference, and up to a third of the letters may be wrong. */
function isSimilar(name: string, column: Column): boolean {
  const [letters, wanted] = [name, column].map((one) => one.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
  if (letters === undefined || wanted === undefined) return false
  return distance(letters, wanted) <= Math.floor(wanted.length / 3)
}

const MOST_NAMED = 10

/** Spreadsheets write empty columns: they need no warning. */
function describeIgnored(unknown: readonly string[]): string[] {
  const names = [...new Set(unknown.map((name) => name.trim()))].filter((name) => name !== '')
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  const shown = `${names.slice(0, MOST_NAMED).join(', ')}${more}`
  if (names.length === 0) return []
  return [names.length === 1 ? `the column ${shown} is ignored` : `the columns ${shown} are ignored`]
}

/** The header and the rows, without empty ones. */
function parseRows(text: string, mostRows: number | undefined, faults: PeopleFaults) {
  const rows: { readonly line: number; readonly cells: readonly string[] }[] = []
  try {
    parse(text, {
      bom: true,
      delimiter: findSeparator(text) ?? ',',
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      ...(mostRows !== undefined && { to: mostRows + 1 }),
      on_record: (cells: string[], { lines }) => void rows.push({ line: lines, cells }),
    })
  } catch (err) {
    if (!(err instanceof CsvError)) throw err
    const line = Number(err.lines)
    const isUneven = err.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH'
    throw isUneven ? faults.uneven(line) : faults.malformed(line, err.message)
  }
  return rows
}
