import { findSeparator, type PeopleFaults, readPeopleCsv } from '@judge-data-layer/runtime/people-csv'
import { invalid } from '../../../http/routing/errors.ts'
import type { CsvBody } from '../../../http/routing/route.ts'
import { MOST_USERS } from './schemas.ts'

const COLUMNS = ['name', 'email', 'password', 'team'] as const

/**
 * Reads the users of a CSV file as the body of an import. Empty cells are absent. Rows beyond the
 * most that an import takes are not read: the schema refuses the number. Throws VALIDATION, without
 * the content of a cell.
 */
export function readUsersCsv(text: string): CsvBody {
  const separator = findSeparator(text)
  if (separator !== undefined && separator !== ',') {
    const found = separator === ';' ? 'semicolons' : 'tabs'
    throw invalid(`The CSV file must have commas between its columns: it has ${found}`)
  }
  const { rows, warnings } = readPeopleCsv(text, {
    columns: COLUMNS,
    mostRows: MOST_USERS + 1,
    faults: FAULTS,
  })
  const users = rows.map(({ cells: { password, team, ...required } }) => ({
    ...required,
    ...(password && { password }),
    ...(team && { team }),
  }))
  return { body: { users }, warnings }
}

const missing = (column: string) =>
  invalid(
    `The CSV header must have the column ${column}: it has name, email, and if wanted password and team, separated by commas`,
  )

const FAULTS: PeopleFaults = {
  empty: () => missing('name'),
  uneven: (line) => invalid(`The CSV file has not as many columns as its header at line ${line}`),
  malformed: (line) => invalid(`The CSV file is malformed at line ${line}`),
  repeated: (column) => invalid(`The CSV header must name the column ${column} once`),
  missing,
  similar: (name, column) =>
    invalid(`The CSV header has the column ${name}: call it ${column}, or leave it out`),
}
