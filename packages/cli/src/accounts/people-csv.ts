import { readFile } from 'node:fs/promises'
import { type PeopleFaults, type PersonRow, readPeopleCsv } from '@judge-data-layer/runtime/people-csv'
import { fold } from '@judge-data-layer/runtime/visible-text'
import { usageError } from '../shared/errors.ts'

/** A person to import, as the service takes them. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly password?: string
  readonly team?: string
}

/** A new account and its password. */
export interface NewAccount extends Person {
  readonly password: string
}

/** A person of a contest file. Without a column, its value is undefined for all. */
export interface ContestPerson extends Person {
  /** Undefined for an empty cell: staff may have given some. */
  readonly extraMinutes?: number
  readonly hidden?: boolean
}

const ACCOUNT = ['name', 'email', 'password'] as const

/** The columns of a file, by its purpose. */
const COLUMNS = {
  accounts: [...ACCOUNT, 'team'],
  staff: ACCOUNT,
  participants: [...ACCOUNT, 'team', 'extra_minutes', 'hidden'],
} as const

/** The people of a file, and warnings that begin with its path. */
export type People = Awaited<ReturnType<typeof readPeople>>

const MOST_PEOPLE = 2000
const MOST_FAULTS = 10
/** A week. */
export const MOST_EXTRA_MINUTES = 10_080
const YES = ['yes', 'true', '1', 'x']
const NO = ['', 'no', 'false', '0']

/** Reads the people of a CSV file. Throws a usage error that names the faulty lines. */
export async function readPeople(file: string, purpose: keyof typeof COLUMNS) {
  const text = decode(file, await readFile(file))
  const reader = { columns: COLUMNS[purpose], faults: describeFaults(file) }
  const { rows, warnings } = readPeopleCsv(text, reader)
  if (rows.length === 0) throw usageError(`${file}: has no people, only a header.`)
  if (rows.length > MOST_PEOPLE)
    throw usageError(`${file}: has ${rows.length} people, of at most ${MOST_PEOPLE}. Split the file.`)
  const faults = findFaults(rows)
  if (faults.length > 0) throw usageError(`${file}: nothing was imported.\n${listFaults(faults)}`)
  return { people: rows.map(readPerson), warnings: warnings.map((one) => `${file}: ${one}`) }
}

function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw usageError(`${file}: is not in UTF-8. Save it as "CSV UTF-8" in the spreadsheet.`)
  }
}

const describeFaults = (file: string): PeopleFaults => ({
  empty: () => usageError(`${file}: is empty.`),
  uneven: (line) => usageError(`${file}, line ${line}: has not as many columns as the header.`),
  malformed: (line, reason) => usageError(`${file}, line ${line}: ${reason}.`),
  repeated: (column) => usageError(`${file}: the header has the column ${column} twice.`),
  similar: (name, column) =>
    usageError(`${file}: the header has the column ${name}. Call it ${column}, or leave it out.`),
  missing: (column) =>
    usageError(
      `${file}: the column ${column} is missing. The first line must name the columns: name, email, and if wanted password and team.`,
    ),
})

function readPerson({ cells }: PersonRow): ContestPerson {
  const { name = '', email = '', password, team = '', extra_minutes, hidden } = cells
  return {
    name: name.trim(),
    email: email.trim(),
    ...(password && { password }),
    ...(team.trim() && { team: team.trim() }),
    ...(extra_minutes?.trim() && { extraMinutes: readMinutes(extra_minutes.trim()) }),
    ...(hidden !== undefined && { hidden: YES.includes(hidden.trim().toLowerCase()) }),
  }
}

/** NaN for a text that is no number of minutes. */
function readMinutes(cell: string): number {
  const minutes = /^\d+$/.test(cell) ? Number(cell) : Number.NaN
  return minutes <= MOST_EXTRA_MINUTES ? minutes : Number.NaN
}

/** The faults that a file has most often; the service checks everything. */
function findFaults(rows: readonly PersonRow[]): string[] {
  const lines = new Map<string, number>()
  return rows.flatMap((row) => {
    const { line, cells } = row
    const { name, email, extraMinutes } = readPerson(row)
    const hidden = cells.hidden?.trim() ?? ''
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
