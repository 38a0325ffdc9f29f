import { DateTime, IANAZone } from 'luxon'
import type { ContestFile, Fault } from './schema.ts'

/** A value of a contest file that is wrong; the message continues the name of its field. */
export class WrongValue extends Error {}

const LOCAL = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?$/
const WITH_OFFSET = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?\s?(Z|[+-]\d\d:\d\d)$/
const DURATION = /^(?:(\d{1,5})\s*h)?\s*(?:(\d{1,5})\s*m(?:in)?)?$/
const CLOCK = /^(\d{1,5}):([0-5]\d)$/
const SHOWN = 'yyyy-MM-dd HH:mm'

/** True for a name such as `Europe/Berlin`. */
const isTimeZone = (name: string) => /\/|^UTC$/.test(name) && IANAZone.isValidZone(name)

/**
 * Reads a time such as `2026-12-01 09:00`, which is local in the time zone, or one with an offset;
 * in milliseconds. 24:00 is the next day. Throws `WrongValue` for other texts, and for local times that do not exist or
 * that occur twice when the clocks change.
 */
export function readTime(text: string, timeZone: string): number {
  if (WITH_OFFSET.test(text)) return readExactTime(text)
  const [, date, minute, second = ''] = LOCAL.exec(text) ?? []
  if (date === undefined || minute === undefined)
    throw new WrongValue('must be a time such as 2026-12-01 09:00')
  const local = `${date}T${minute}${second}`
  const wall = DateTime.fromISO(local, { zone: 'utc' })
  if (!wall.isValid) throw new WrongValue(`: ${text} is not in the calendar`)
  const time = wall.setZone(timeZone, { keepLocalTime: true })
  if (time.toFormat(SHOWN) !== wall.toFormat(SHOWN))
    throw new WrongValue(
      `: ${text} does not exist in ${timeZone}, because the clocks go forward then. Write a time before or after`,
    )
  const [one, other] = time.getPossibleOffsets()
  if (one !== undefined && other !== undefined)
    throw new WrongValue(
      `: ${text} occurs twice in ${timeZone}, because the clocks go back then. Write ${local}${one.toFormat('ZZ')} or ${local}${other.toFormat('ZZ')}`,
    )
  return time.toMillis()
}

/** Reads minutes: a number, or `3h`, `1h 30m`, `90 min` or `1:30`. Undefined for other values. */
export function readMinutes(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value > 0 ? value : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (/^\d{1,6}$/.test(text)) return readMinutes(Number(text))
  const [, hours, minutes] = (text === '' ? null : (CLOCK.exec(text) ?? DURATION.exec(text))) ?? []
  const total = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return total > 0 ? total : undefined
}

/** A time for people, such as `2026-12-01 09:00`, in a time zone. */
export function formatTime(time: number | string, timeZone: string): string {
  const shown = typeof time === 'number' ? DateTime.fromMillis(time) : DateTime.fromISO(time)
  const zoned = shown.setZone(timeZone)
  return zoned.toFormat(zoned.second === 0 ? SHOWN : `${SHOWN}:ss`)
}

/** The time zone of this computer, or the one in `TZ`. */
export const ownTimeZone = () => DateTime.local().zoneName

/** A time for the service, in UTC. */
export const toInstant = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z')

function readExactTime(text: string): number {
  const time = DateTime.fromISO(text.replace(' ', 'T').replaceAll(' ', ''))
  if (!time.isValid) throw new WrongValue(`: ${text} is not in the calendar`)
  return time.toMillis()
}

/** The times of a contest, in milliseconds. */
export interface Schedule {
  readonly start: number
  readonly end: number
  readonly freeze: number | undefined
}

const MINUTE = 60_000

/** Reads the times of a contest file. Without a schedule there are faults. */
export function readSchedule(fields: ContestFile) {
  const { time_zone: timeZone } = fields
  if (!isTimeZone(timeZone))
    return fail('time_zone', `: ${timeZone} is no known time zone. Write one such as Europe/Berlin or UTC`)
  const faults: Fault[] = []
  const read = <Result>(path: string, reader: () => Result): Result | undefined => {
    try {
      return reader()
    } catch (err) {
      if (!(err instanceof WrongValue)) throw err
      faults.push({ path, message: err.message })
      return undefined
    }
  }
  const start = read('start', () => readTime(fields.start, timeZone))
  const end = read(fields.end === undefined ? 'duration' : 'end', () => readEnd(fields, start))
  const freeze = read('freeze', () => readFreeze(fields, end))
  if (faults.length > 0 || start === undefined || end === undefined) return { schedule: undefined, faults }
  if (end <= start) return fail('end', 'must be after start')
  if (freeze !== undefined && freeze > end) return fail('freeze', 'must not be after the end')
  if (freeze !== undefined && freeze < start) return fail('freeze', 'must not be before the start')
  return { schedule: { start, end, freeze }, faults }
}

const fail = (path: string, message: string) => ({ schedule: undefined, faults: [{ path, message }] })

/** Undefined if the start, which it needs, is wrong. */
function readEnd({ end, duration, time_zone }: ContestFile, start: number | undefined): number | undefined {
  if (end !== undefined && duration !== undefined)
    throw new WrongValue('and duration are both given. Leave out one of them')
  if (end !== undefined) return readTime(end, time_zone)
  if (duration === undefined) throw new WrongValue('is missing: write duration, such as 3h, or end')
  const minutes = readMinutes(duration)
  if (minutes === undefined) throw new WrongValue('must be a duration such as 3h, 1h 30m or 90 (minutes)')
  return start === undefined ? undefined : start + minutes * MINUTE
}

function readFreeze({ freeze, time_zone }: ContestFile, end: number | undefined): number | undefined {
  if (freeze === undefined) return undefined
  const minutes = readMinutes(freeze)
  if (minutes !== undefined) return end === undefined ? undefined : end - minutes * MINUTE
  if (typeof freeze === 'string' && /^\d{4}-/.test(freeze)) return readTime(freeze, time_zone)
  throw new WrongValue(
    'must be a time such as 2026-12-01 11:00, or a duration before the end, such as 1h or 60 (minutes)',
  )
}
