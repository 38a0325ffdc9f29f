import { readFile } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse/sync'
import { fold } from '../lookup/find-user.ts'
import { usageError } from '../shared/errors.ts'

/** A person to import, as the service takes them. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly password?: string
  readonly team?: string
}

/** A person of a contest file. Without a column, its value is undefined for all. */
export interface ContestPerson extends Person {
  readonly extraMinutes?: number
  readonly hidden?: boolean
}

const COLUMNS = ['name', 'email', 'password', 'team', 'extra_minutes', 'hidden'] as const
const REQUIRED = ['name', 'email'] as const
const SEPARATORS = [',', ';', '\t'] as const
const MOST_PEOPLE = 2000
const MOST_FAULTS = 10
/** A week. */
export const MOST_EXTRA_MINUTES = 10_080
const YES = ['yes', 'true', '1', 'x']
const NO = ['', 'no', 'false', '0']

/**
 * Reads the people of a CSV file. The first row names the columns; others than ours are ignored.
 * Spreadsheets of some countries write semicolons. Throws a usage error that names the faulty
 * lines.
 */
export async function readPeople(file: string): Promise<ContestPerson[]> {
  const rows = parseRows(file, decode(file, await readFile(file)))
  const [header, ...others] = rows
  if (header === undefined) throw usageError(`${file}: is empty.`)
  const columns = readHeader(file, header.cells)
  if (others.length === 0) throw usageError(`${file}: has no people, only a header.`)
  if (others.length > MOST_PEOPLE)
    throw usageError(`${file}: has ${others.length} people, of at most ${MOST_PEOPLE}. Split the file.`)
  const faults = findFaults(others, columns)
  if (faults.length > 0) throw usageError(`${file}: nothing was imported.\n${listFaults(faults)}`)
  return others.map(({ cells }) => readPerson(cells, columns))
}

interface Row {
  /** The number of its last line in the file. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The places of the columns in a row. */
type Columns = Readonly<Partial<Record<(typeof COLUMNS)[number], number>>>

function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw usageError(`${file}: is not in UTF-8. Save it as "CSV UTF-8" in the spreadsheet.`)
  }
}

function parseRows(file: string, text: string): Row[] {
  const [header = ''] = text.split(/\r?\n/, 1)
  const delimiter = SEPARATORS.find((separator) => header.includes(separator)) ?? ','
  try {
    const rows: Row[] = []
    parse(text, {
      delimiter,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (cells: string[], { lines }) => void rows.push({ line: lines, cells }),
    })
    return rows
  } catch (err) {
    if (!(err instanceof CsvError)) throw err
    const line = 'lines' in err ? `, line ${err.lines}` : ''
    const isUneven = err.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH'
    throw usageError(`${file}${line}: ${isUneven ? 'has not as many columns as the header' : err.message}.`)
  }
}

function readHeader(file: string, cells: readonly string[]): Columns {
  const names = cells.map((name) => name.trim().toLowerCase())
  for (const name of COLUMNS)
    if (names.filter((other) => other === name).length > 1)
      throw usageError(`${file}: the header has the column ${name} twice.`)
  for (const name of REQUIRED)
    if (!names.includes(name))
      throw usageError(
        `${file}: the column ${name} is missing. The first line must name the columns: name, email, and if wanted password and team.`,
      )
  const known = COLUMNS.filter((name) => names.includes(name))
  return Object.fromEntries(known.map((name) => [name, names.indexOf(name)]))
}

function readPerson(cells: readonly string[], columns: Columns): ContestPerson {
  const read = (column: number | undefined) => (column === undefined ? '' : (cells[column] ?? ''))
  const [password, team] = [read(columns.password), read(columns.team).trim()]
  const hidden = read(columns.hidden).trim().toLowerCase()
  return {
    name: read(columns.name).trim(),
    email: read(columns.email).trim(),
    ...(password !== '' && { password }),
    ...(team !== '' && { team }),
    ...(columns.extra_minutes !== undefined && { extraMinutes: readMinutes(read(columns.extra_minutes)) }),
    ...(columns.hidden !== undefined && { hidden: YES.includes(hidden) }),
  }
}

/** NaN for a text that is no number of minutes. */
function readMinutes(cell: string): number {
  const minutes = cell.trim() === '' ? 0 : /^\d+$/.test(cell.trim()) ? Number(cell) : Number.NaN
  return minutes <= MOST_EXTRA_MINUTES ? minutes : Number.NaN
}

/** The faults that a file has most often; the service checks everything. */
function findFaults(rows: readonly Row[], columns: Columns): string[] {
  const lines = new Map<string, number>()
  return rows.flatMap(({ line, cells }) => {
    const { name, email, extraMinutes } = readPerson(cells, columns)
    const hidden = columns.hidden === undefined ? '' : (cells[columns.hidden] ?? '').trim()
    if (name === '') return `line ${line}: the name is missing`
    if (email === '') return `line ${line}: the e-mail address of ${name} is missing`
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) return `line ${line}: ${email} is not an e-mail address`
    const earlier = lines.get(fold(email))
    if (earlier !== undefined) return `line ${line}: ${email} is in line ${earlier} too`
    lines.set(fold(email), line)
    if (Number.isNaN(extraMinutes))
      return `line ${line}: extra_minutes must be a whole number of at most ${MOST_EXTRA_MINUTES}`
    if (![...YES, ...NO].includes(hidden.toLowerCase()))
      return `line ${line}: hidden must be yes or no, not ${hidden}`
    return []
  })
}

function listFaults(faults: readonly string[]): string {
  const more = faults.length - MOST_FAULTS
  const shown = faults.slice(0, MOST_FAULTS).map((fault) => `  ${fault}.`)
  return [...shown, ...(more > 0 ? [`  … and ${more} more.`] : [])].join('\n')
}
