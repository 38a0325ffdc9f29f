import type { Fault } from './faults.ts'
import type { ContestFile } from './schema.ts'
import { isTimeZone, readMinutes, readTime, WrongValue } from './times.ts'

/** The times of a contest, in milliseconds. */
export interface Schedule {
  readonly start: number
  readonly end: number
  readonly freeze: number | undefined
}

const MINUTE = 60_000

/** Reads the times of a contest file. Without a schedule there are faults. */
export function readSchedule(fields: ContestFile): {
  readonly schedule: Schedule | undefined
  readonly faults: readonly Fault[]
} {
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
