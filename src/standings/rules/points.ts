import { compareTimes, type Rules } from './rules.ts'

/** More points, then less time. */
export const points: Rules = {
  hasPoints: true,
  compare: (a, b) => b.points - a.points || compareTimes(a, b),
  hasScored: (totals) => totals.points > 0,
}
