import type { Schemas } from '@judge-data-layer/client'

type EventClock = Schemas['EventClock']

/** The times that the pages show. */
export type ContestTimes = Pick<
  EventClock,
  'now' | 'start_time' | 'freeze_time' | 'end_time' | 'state' | 'extra_time'
>

/** The service's time at an instant of the local monotonic clock, both in milliseconds. */
export interface ServiceTime {
  readonly serviceMs: number
  readonly localMs: number
}

export interface ClockView {
  readonly phase: 'before' | 'running' | 'over'
  readonly label: string
  /** Empty after the end. */
  readonly time: string
}

/**
 * Relates the clocks: the service read its own one between the request and the response. The time of
 * the local machine may be wrong, so only its monotonic clock counts.
 */
export function relateClocks(now: string, requestedMs: number, receivedMs: number): ServiceTime {
  return { serviceMs: Date.parse(now), localMs: (requestedMs + receivedMs) / 2 }
}

/** The service's present time in milliseconds since 1970. */
export const serviceNow = ({ serviceMs, localMs }: ServiceTime, nowMs: number) => serviceMs + nowMs - localMs

/**
 * The clock shows the time until the start, the time left, or the end. A clock that was read before
 * the end does not say whether others have extra time.
 */
export function viewClock(times: ContestTimes, nowMs: number, ownEnd = times.end_time): ClockView {
  const startMs = Date.parse(times.start_time)
  const endMs = Date.parse(ownEnd)
  if (endMs <= startMs) return { phase: 'over', label: 'Cancelled', time: '' }
  if (nowMs < startMs) return { phase: 'before', label: 'Starts in', time: formatDuration(startMs - nowMs) }
  if (nowMs < endMs) return { phase: 'running', label: 'Time left', time: formatDuration(endMs - nowMs) }
  const end = times.extra_time === true ? 'Ended; some have extra time' : 'Ended'
  return { phase: 'over', label: isReadBefore(times, ownEnd) ? 'Time is up' : end, time: '' }
}

const isReadBefore = ({ now }: ContestTimes, instant: string) => Date.parse(now) < Date.parse(instant)

/** The end has passed since the clock was read: it may have something new to say. */
export const hasEndedSince = (times: ContestTimes, nowMs: number) =>
  isReadBefore(times, times.end_time) && nowMs >= Date.parse(times.end_time)

/** `1:05:09`, and days if there are more than two. Rounds up: the last second is not 0:00:00. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const days = Math.floor(seconds / 86_400)
  const shownDays = days > 2 ? days : 0
  const hours = Math.floor(seconds / 3600) - shownDays * 24
  const [minute, second] = [Math.floor(seconds / 60) % 60, seconds % 60].map((n) =>
    String(n).padStart(2, '0'),
  )
  return `${shownDays > 0 ? `${shownDays} days ` : ''}${hours}:${minute}:${second}`
}
