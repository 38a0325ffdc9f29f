/** Whole minutes from the start of a contest, at least 0. Times are microseconds since 1970. */
export const minutesFrom = (start: number, at: number): number =>
  Math.max(0, Math.floor((at - start) / 60_000_000))
