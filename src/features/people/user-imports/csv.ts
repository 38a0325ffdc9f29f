import { CsvError, parse } from 'csv-parse/sync'
import { AppError } from '../../../http/routing/errors.ts'
import { MOST_USERS } from './schemas.ts'

const COLUMNS = ['name', 'email', 'password', 'team'] as const
const REQUIRED = ['name', 'email'] as const

/**
 * Reads the users of a CSV file as the body of an import. The first row names the columns; others
 * than ours are ignored. Empty cells are absent. Throws VALIDATION, without the content of a cell.
 */
export function readUsersCsv(text: string): { readonly users: readonly object[] } {
  const [header = [], ...rows] = readRows(text)
  const names = header.map((name) => name.trim().toLowerCase())
  for (const name of COLUMNS) {
    const count = names.filter((other) => other === name).length
    if (count > 1) throw new AppError('VALIDATION', `The CSV header must name the column ${name} once`)
  }
  for (const name of REQUIRED) {
    if (!names.includes(name)) {
      const columns = 'name, email, and if wanted password and team, separated by commas'
      throw new AppError('VALIDATION', `The CSV header must have the column ${name}: it has ${columns}`)
    }
  }
  return { users: rows.map((row) => readUser(names, row)) }
}

function readUser(names: readonly string[], row: readonly string[]): object {
  const cells = COLUMNS.map((name) => [name, row[names.indexOf(name)] ?? ''] as const)
  const isGiven = ([name, cell]: (typeof cells)[number]) => isRequired(name) || cell !== ''
  return Object.fromEntries(cells.filter(isGiven))
}

const isRequired = (name: string) => REQUIRED.some((required) => required === name)

/** Rows beyond the most that an import takes are not read: the schema refuses the number. */
function readRows(text: string): string[][] {
  refuseOtherSeparators(text)
  try {
    return parse(text, {
      bom: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: MOST_USERS + 2,
    })
  } catch (err) {
    if (!(err instanceof CsvError)) throw err
    const line = 'lines' in err ? ` at line ${err.lines}` : ''
    const isUneven = err.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH'
    const fault = isUneven ? 'has not as many columns as its header' : 'is malformed'
    throw new AppError('VALIDATION', `The CSV file ${fault}${line}`)
  }
}

/** Spreadsheets write semicolons in countries with decimal commas. */
function refuseOtherSeparators(text: string): void {
  const [header = ''] = text.split(/\r?\n/, 1)
  if (header.includes(',')) return
  const found = header.includes(';') ? 'semicolons' : header.includes('\t') ? 'tabs' : undefined
  if (found === undefined) return
  throw new AppError('VALIDATION', `The CSV file must have commas between its columns: it has ${found}`)
}
