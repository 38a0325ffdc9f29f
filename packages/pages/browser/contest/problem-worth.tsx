import type { ContestEvent } from './contest-data.ts'

interface WorthProps {
  readonly event: ContestEvent | undefined
  readonly points: number | undefined
}

/** What a problem gives in a contest with points, if the contest has set it. */
export function Worth({ event, points }: WorthProps) {
  if (event?.scoring !== 'points' || points === undefined) return null
  return <span class="worth">{points} points</span>
}
