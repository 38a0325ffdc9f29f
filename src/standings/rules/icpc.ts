import { compareTimes, type Rules } from './rules.ts'

/** More solved problems, then less time. */
export const icpc: Rules = {
  hasPoints: false,
  compare: (a, b) => b.solved - a.solved || compareTimes(a, b),
  hasScored: ({ solved }) => solved > 0,
}
