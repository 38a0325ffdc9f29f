/** SQL expression of an instant as TIME: UTC with milliseconds, always three digits (P26). */
export const timeOf = (moment: string) =>
  `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** SQL expression of whole milliseconds as RELTIME: `h:mm:ss.uuu`, `-` in front if negative. */
export const spanOf = (milliseconds: string) =>
  `(case when ${milliseconds} < 0 then '-' else '' end
        || to_char(abs(${milliseconds}) * interval '1 millisecond', 'FMHH24:MI:SS.MS'))`

/** SQL expression of whole minutes as RELTIME. */
export const minutesSpanOf = (minutes: string) => spanOf(`((${minutes})::bigint * 60000)`)

/** SQL expression of the time between two instants as RELTIME: the difference of their TIMEs. */
export const spanBetween = (from: string, to: string) => spanOf(`(${wholeMs(to)} - ${wholeMs(from)})`)

/** The contest time of an instant; `contest` is a row of `events` (P26). */
export const contestTimeOf = (moment: string, contest = 'contest') =>
  spanBetween(`${contest}.start_time`, moment)

/**
 * What TIME cuts off, below a millisecond, is cut off here too. `date_part` is a float: a list of
 * 60,000 times took a quarter of the time of `extract`. Of whole milliseconds its error is below a
 * microsecond.
 */
const wholeMs = (moment: string) =>
  `(date_part('epoch', date_trunc('milliseconds', ${moment})) * 1000)::bigint`

/** SQL expression of a number of seconds, to the millisecond. */
export const secondsOf = (seconds: string) => `trim_scale(round((${seconds})::numeric, 3))`

/** The same; null if the judge measured nothing. */
export const measuredSeconds = (seconds: string) => `nullif(${secondsOf(seconds)}, 0)`

/** Writes microseconds since 1970 as TIME. */
export const writeTime = (micros: number): string => new Date(Math.floor(micros / 1000)).toISOString()

/** Writes the difference of the TIMEs of two instants as RELTIME. */
export const writeSpan = (from: number, to: number): string =>
  writeMilliseconds(Math.floor(to / 1000) - Math.floor(from / 1000))

/** Writes whole minutes as RELTIME. */
export const writeMinutes = (minutes: number): string => writeMilliseconds(minutes * 60_000)

function writeMilliseconds(ms: number): string {
  const length = Math.abs(ms)
  const [minutes, seconds] = [length / 60_000, length / 1000].map((count) => Math.floor(count) % 60)
  const digits = [minutes, seconds].map((count) => String(count).padStart(2, '0')).join(':')
  const fraction = String(length % 1000).padStart(3, '0')
  return `${ms < 0 ? '-' : ''}${Math.floor(length / 3_600_000)}:${digits}.${fraction}`
}
