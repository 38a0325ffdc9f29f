import type { Schemas } from '@judge-data-layer/client'
import { tidyText } from '@judge-data-layer/runtime/visible-text'
import { inOneLine } from '../shared/text.ts'
import { type Comparison, type Findings, hasStarted, type Line } from './comparison.ts'
import type { Wanted } from './contest-file.ts'
import type { ContestState, ServiceState } from './read-state.ts'
import { RULE_NAMES } from './schema.ts'
import { formatTime, toInstant } from './times.ts'

type Fields = Schemas['EventUpdateBody']

/** Differences of the contest itself. */
export interface FieldDifferences extends Findings {
  readonly isNew: boolean
  /** The fields to set: all for a new contest. */
  readonly fields: Fields
  /** Effects of the times that the user may not expect. */
  readonly warnings: readonly string[]
}

const TIMES = ['start_time', 'end_time', 'freeze_time'] as const

type TimeName = (typeof TIMES)[number]

/** The names in the file, where the service has other names. */
const NAMES: Readonly<Record<string, string>> = {
  start_time: 'start',
  end_time: 'end',
  freeze_time: 'freeze',
}

/** True if these fields move the start, the end or the freeze. */
export const movesTimes = (fields: Fields) => TIMES.some((name) => name in fields)

/** Compares the fields of the contest itself. */
export function compareFields(comparison: Comparison): FieldDifferences {
  const { wanted, service, contest, isForced } = comparison
  const { fields, refusals } = readFields(wanted, service)
  if (contest === undefined) {
    const { title, start_time = '', end_time = '' } = fields
    const times = `${formatTime(start_time, wanted.timeZone)} to ${formatTime(end_time, wanted.timeZone)}`
    const lines: Line[] = [{ sign: '+', text: `contest "${title}", ${times} ${wanted.timeZone}` }]
    const past = checkTimes(comparison, TIMES)
    return {
      ...{ isNew: true, fields, lines, kept: [], warnings: past.warnings },
      refusals: [...refusals, ...past.refusals],
    }
  }
  const current = fieldsOf(contest)
  const changes = Object.entries(fields).filter(([name, value]) => !isSame(value, Reflect.get(current, name)))
  const describe = (name: string, value: unknown) => describeValue(name, value, wanted.timeZone, service)
  const lines = changes.map(([name, value]): Line => {
    const former = describe(name, Reflect.get(current, name))
    return { sign: '~', text: `${NAMES[name] ?? name}: ${former} -> ${describe(name, value)}` }
  })
  const moved = TIMES.filter((name) => changes.some(([one]) => one === name))
  const late = hasStarted(contest) && !isForced ? moved : []
  const past = checkTimes(comparison, moved)
  return {
    isNew: false,
    fields: Object.fromEntries(changes),
    lines,
    kept: [],
    warnings: past.warnings,
    refusals: [...refusals, ...late.map((name) => refuseMove(name, contest, wanted)), ...past.refusals],
  }
}

/** Warns of a start or an end that has passed. An end needs `--force`: nobody could submit. */
function checkTimes(comparison: Comparison, moved: readonly TimeName[]) {
  const { wanted, contest, isForced, now } = comparison
  const { start, end, timeZone, file } = wanted
  const isMoved = (name: TimeName) => moved.includes(name)
  const [startText, endText] = [start, end].map((time) => `${formatTime(time, timeZone)} ${timeZone}`)
  if (isMoved('end_time') && end <= now) {
    const over = `the contest would be over already: its end, ${endText}, has passed`
    // A contest that has started is refused for its times anyway.
    if (isForced || hasStarted(contest)) return { warnings: [over], refusals: [] }
    return { warnings: [over], refusals: [`${sentence(over)} Correct the times in ${file}, or use --force.`] }
  }
  const reopens = contest !== undefined && Date.parse(contest.event.end_time) <= now
  if (reopens && isMoved('end_time')) return { warnings: [REOPENED], refusals: [] }
  if (!isMoved('start_time') || start > now || hasStarted(contest)) return { warnings: [], refusals: [] }
  return { warnings: [`the contest starts at once: its start, ${startText}, has passed`], refusals: [] }
}

const REOPENED =
  'the contest has ended: people may submit again, and results since the freeze are hidden again'

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function refuseMove(name: TimeName, { event }: ContestState, wanted: Wanted): string {
  const value = event[name]
  if (value === undefined)
    return `The contest has started, and has no freeze at the service. Remove it from ${wanted.file}, or set it with --force.`
  const time = formatTime(value, wanted.timeZone)
  const end = name === 'end_time' ? ', move the end with "judge contest extend"' : ''
  return `The contest has started, and its ${NAMES[name]} at the service is ${time}. Write that into ${wanted.file}${end}, or set the time of the file with --force.`
}

function readFields({ fields: file, start, end, freeze }: Wanted, { languages }: ServiceState) {
  const unknown: string[] = []
  const ids = file.languages?.flatMap((name) => {
    const found = languages.find((one) => one.id === name || one.name.toLowerCase() === name.toLowerCase())
    if (found === undefined) unknown.push(name)
    return found?.id ?? []
  })
  const known = languages.map(({ name }) => name).join(', ')
  const fields: Fields = {
    title: tidyText(file.title),
    description: (file.description ?? '').trimEnd(),
    start_time: toInstant(start),
    end_time: toInstant(end),
    freeze_time: freeze === undefined ? null : toInstant(freeze),
    teams: file.teams ?? false,
    ...Object.fromEntries(RULE_NAMES.map((name) => [name, file[name] ?? null])),
    languages: ids ?? [],
    enforce_languages: ids === undefined ? null : true,
  }
  return {
    fields,
    refusals: unknown.map((name) => `languages: there is no language ${name}. The service has: ${known}.`),
  }
}

function fieldsOf({ event }: ContestState): Fields {
  return {
    ...event,
    description: event.description.trimEnd(),
    enforce_languages: event.enforce_languages || null,
    // Other contests may name languages, but do not enforce them.
    languages: event.enforce_languages ? event.languages : [],
  }
}

/** Absent fields have no rule; times may be written in several ways, and lists have no order. */
function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [one ?? null, other ?? null]
  if (Array.isArray(a) && Array.isArray(b)) return normalize(a.toSorted()) === normalize(b.toSorted())
  if (isInstant(a) && isInstant(b)) return Date.parse(a) === Date.parse(b)
  return normalize(a) === normalize(b)
}

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value)

const normalize = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const MOST_CHARACTERS = 60

function describeValue(name: string, value: unknown, zone: string, { languages }: ServiceState): string {
  if (value === undefined || value === null || value === '') return 'none'
  if (TIMES.some((time) => time === name)) return formatTime(String(value), zone)
  if (name === 'languages' && Array.isArray(value))
    return value.map((id) => languages.find((one) => one.id === id)?.name ?? id).join(', ') || 'all'
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, part]) => `${key} ${part}`)
      .join(', ')
  const text = inOneLine(String(value))
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
