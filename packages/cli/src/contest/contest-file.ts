import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { fold } from '@judge-data-layer/runtime/visible-text'
import { Check } from 'typebox/value'
import { parseDocument } from 'yaml'
import { type ContestPerson, type People, type Person, readPeople } from '../accounts/people-csv.ts'
import { describeError, usageError } from '../shared/errors.ts'
import { findPackage, type PackageSource } from '../shared/package-source.ts'
import { explainSyntaxError, findEmptyFields } from './empty-fields.ts'
import { type ContestFile, ContestFileSchema, type Fault, findFaults } from './schema.ts'
import { readSchedule, type Schedule } from './times.ts'

/** A problem of a contest file and its package. */
export interface WantedProblem extends Omit<NonNullable<ContestFile['problems']>[number], 'package'> {
  /** The path of the package, as the file has it: the key in the lock. */
  readonly path: string
  readonly source: PackageSource
  readonly hash: string
  readonly position: number
}

/** A contest file, read with all its files and checked. */
export interface Wanted extends Schedule {
  /** The path of the contest file. */
  readonly file: string
  readonly timeZone: string
  /** The address for those who take part, without a slash at its end. */
  readonly address: string | undefined
  /** The fields that are the same at the service. */
  readonly fields: ContestFile
  readonly problems: readonly WantedProblem[]
  /** Undefined: the file does not manage the participants. */
  readonly participants: readonly ContestPerson[] | undefined
  /** Undefined: the file does not manage the staff. */
  readonly staff: readonly StaffMember[] | undefined
  /** What was ignored. */
  readonly warnings: readonly string[]
}

/** A member of the staff: of a CSV file, or of a list of e-mail addresses. */
interface StaffMember {
  readonly email: string
  readonly person?: Person
}

/** Reads a contest file, its CSV files and its packages. Throws a usage error with all faults. */
export async function readContestFile(file: string): Promise<Wanted> {
  const { fields, faults } = readFields(file, await readFile(file, 'utf8'))
  const schedule = readSchedule(fields)
  faults.push(...schedule.faults, ...findListFaults(fields))
  const folder = dirname(file)
  const [problems, participants, staff] = await Promise.all([
    Promise.all((fields.problems ?? []).map((one, i) => readProblem(folder, one, i))),
    readCsv(folder, fields.participants, 'participants'),
    readStaff(folder, fields.staff),
  ])
  // The files were read in any order.
  faults.push(...[...problems, participants, staff].flatMap(({ fault }) => fault ?? []))
  const { people, warnings = [] } = participants.value ?? {}
  const { members, warnings: ofStaff = [] } = staff.value ?? {}
  faults.push(...findPeopleFaults(fields, people ?? [], members ?? []))
  if (faults.length > 0 || schedule.schedule === undefined) throw listFaults(file, faults)
  const address = fields.address?.replace(/\/$/, '')
  const common = { file, fields, address, timeZone: fields.time_zone, ...schedule.schedule }
  const found = problems.flatMap(({ value }) => value ?? [])
  const all = [...warnings, ...ofStaff]
  return { ...common, problems: found, participants: people, staff: members, warnings: all }
}

/** The fields as they are written, and their faults. Throws a usage error without usable fields. */
function readFields(file: string, text: string): { readonly fields: ContestFile; readonly faults: Fault[] } {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) throw usageError(`${file}: ${explainSyntaxError(text, error)}`)
  const fields: unknown = document.toJS({ maxAliasCount: 100 })
  const faults = [...findEmptyFields(text, document.contents), ...findFaults(ContestFileSchema, fields)]
  if (!Check(ContestFileSchema, fields)) throw listFaults(file, faults)
  return { fields, faults }
}

function listFaults(file: string, faults: readonly Fault[]) {
  const lines = faults.map(({ path, message }) => {
    const text = `${path}${message.startsWith(':') ? '' : ' '}${message}`.trim()
    return `  ${text}${/[.?]$/.test(text) ? '' : '.'}`
  })
  return usageError(`${file}: nothing was changed. Correct this first:\n${lines.join('\n')}`)
}

/** Faults of lists: the schema checks only their items. */
function findListFaults({ languages, problems = [], staff }: ContestFile): Fault[] {
  const emails = Array.isArray(staff) ? staff : []
  return [
    ...(languages?.length === 0
      ? [{ path: 'languages', message: 'has no language. Leave it out to allow all languages' }]
      : []),
    ...emails.flatMap((email, i) =>
      email.includes('@') ? [] : [{ path: `staff[${i + 1}]`, message: 'must be an e-mail address' }],
    ),
    ...findRepeated('package', problems, (one) => normalize(join(one.package, '.'))),
    ...findRepeated('label', problems, ({ label }) => label?.trim().toLowerCase()),
  ]
}

function findRepeated<Item>(
  name: string,
  items: readonly Item[],
  read: (item: Item) => string | undefined,
): Fault[] {
  const values = items.map(read)
  return values.flatMap((value, i) => {
    const first = value === undefined ? i : values.indexOf(value)
    const path = `problems[${i + 1}].${name}`
    return first === i ? [] : [{ path, message: `is the same as problems[${first + 1}].${name}` }]
  })
}

/** What a field refers to, or its fault. Neither: the field is absent. */
interface Reading<T> {
  readonly value?: T
  readonly fault?: Fault
}

async function tryReading<T>(path: string, read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await read() }
  } catch (err) {
    return { fault: { path, message: `: ${describeError(err, '').message}` } }
  }
}

const readProblem = (
  folder: string,
  { package: path, ...settings }: NonNullable<ContestFile['problems']>[number],
  position: number,
) =>
  tryReading(`problems[${position + 1}].package`, async (): Promise<WantedProblem> => {
    const source = await findPackage(resolvePath(folder, path))
    return { ...settings, path, source, hash: await source.hash(), position }
  })

async function readCsv(
  folder: string,
  path: string | undefined,
  name: 'participants' | 'staff',
): Promise<Reading<People>> {
  return path === undefined ? {} : tryReading(name, () => readPeople(resolvePath(folder, path), name))
}

async function readStaff(
  folder: string,
  staff: ContestFile['staff'],
): Promise<Reading<{ readonly members: StaffMember[]; readonly warnings: readonly string[] }>> {
  if (Array.isArray(staff))
    return { value: { members: staff.map((email) => ({ email: email.trim() })), warnings: [] } }
  const { value, ...rest } = await readCsv(folder, staff, 'staff')
  if (value === undefined) return rest
  const members = value.people.map((person) => ({ email: person.email, person }))
  return { value: { members, warnings: value.warnings } }
}

/** Faults that are in no file alone. */
function findPeopleFaults(
  { teams = false }: ContestFile,
  participants: readonly ContestPerson[],
  staff: readonly StaffMember[],
): Fault[] {
  const [first] = participants.filter(({ team }) => team !== undefined)
  const names = new Map(participants.map(({ name, email }) => [fold(name), fold(email)]))
  const clashes = staff.flatMap(({ email, person }) => {
    const other = person && names.get(fold(person.name))
    if (other === undefined || other === fold(email)) return []
    return [
      { path: 'staff', message: `: ${person?.name} is the name of a participant too. Change one of them` },
    ]
  })
  if (first === undefined || teams) return clashes
  const message = `: ${first.name} is on the team ${first.team}. Write teams: true, or leave out the column`
  return [{ path: 'participants', message }, ...clashes]
}

const resolvePath = (folder: string, path: string) => (isAbsolute(path) ? path : join(folder, path))
