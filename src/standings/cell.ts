/** A submission: when it was sent (microseconds since 1970), its status, its score if any. */
export type Outcome = readonly [sentAt: number, status: string, score?: number]

/** The submissions of one person to one problem of a contest. Times are microseconds since 1970. */
export interface Attempts {
  /** Submissions since then do not count; null: none counts (P21). */
  readonly countedUntil: number | null
  /** Submissions since then are frozen; null: none is (P23). */
  readonly frozenFrom: number | null
  readonly outcomes: readonly Outcome[]
}

/** What a user or team has done at one problem (D35, P22). NaN: there is no such time or score. */
export interface Cell {
  /** All counted submissions, pending ones included. */
  submissions: number
  /**
   * Judged submissions up to and including the first accepted one, but for compile-time and
   * internal errors.
   */
  tries: number
  /** Submissions without a verdict, or with one that is frozen. */
  pending: number
  /** When the first pending submission was sent. */
  pendingSince: number
  /** When the first accepted submission was sent. */
  acceptedAt: number
  /** The best score of a judging, in hundredths; `UNSCORED` is more than all others. */
  score: number
  /** When the first submission with the best score was sent. */
  scoredAt: number
  isFrozen: boolean
}

/** The score of an accepted submission whose judging gave none: the full score, whatever it is. */
export const UNSCORED = Number.POSITIVE_INFINITY

const PENDING = 'PENDING'
const ACCEPTED = 'ACCEPTED'

/** Tries that the contestant is not responsible for. */
const NOT_COUNTED = new Set(['COMPILE_TIME_ERROR', 'INTERNAL_ERROR'])

/**
 * Counts a cell: the attempts of one user, or of all members of a team together. `isLive`: frozen
 * submissions count as they were judged, not as pending ones.
 */
export function countCell(attempts: readonly Attempts[], isLive: boolean): Cell {
  const cell = emptyCell()
  for (const one of attempts) addAttempts(cell, one, isLive)
  if (cell.submissions > cell.pending) for (const one of attempts) countTries(cell, one, isLive)
  return cell
}

const emptyCell = (): Cell => ({
  submissions: 0,
  tries: 0,
  pending: 0,
  pendingSince: Number.NaN,
  acceptedAt: Number.NaN,
  score: Number.NaN,
  scoredAt: Number.NaN,
  isFrozen: false,
})

function addAttempts(cell: Cell, { countedUntil, frozenFrom, outcomes }: Attempts, isLive: boolean): void {
  cell.isFrozen ||= frozenFrom !== null
  const until = countedUntil ?? Number.NEGATIVE_INFINITY
  const hiddenFrom = isLive ? null : frozenFrom
  for (const [sentAt, status, score] of outcomes) {
    if (sentAt >= until) continue
    cell.submissions += 1
    if (status === PENDING || isHidden(sentAt, hiddenFrom)) {
      cell.pending += 1
      cell.pendingSince = earliest(cell.pendingSince, sentAt)
      continue
    }
    if (status === ACCEPTED) cell.acceptedAt = earliest(cell.acceptedAt, sentAt)
    if (score !== undefined) addScore(cell, Math.round(score * 100), sentAt)
    else if (status === ACCEPTED) addScore(cell, UNSCORED, sentAt)
  }
}

function addScore(cell: Cell, score: number, sentAt: number): void {
  if (score < cell.score) return
  cell.scoredAt = score === cell.score ? earliest(cell.scoredAt, sentAt) : sentAt
  cell.score = score
}

function countTries(cell: Cell, { countedUntil, frozenFrom, outcomes }: Attempts, isLive: boolean): void {
  const until = countedUntil ?? Number.NEGATIVE_INFINITY
  const hiddenFrom = isLive ? null : frozenFrom
  for (const [sentAt, status] of outcomes) {
    const isJudged = sentAt < until && status !== PENDING && !isHidden(sentAt, hiddenFrom)
    if (isJudged && !NOT_COUNTED.has(status) && !(sentAt > cell.acceptedAt)) cell.tries += 1
  }
}

const isHidden = (sentAt: number, hiddenFrom: number | null) => hiddenFrom !== null && sentAt >= hiddenFrom

/** The earlier time; `known` may be NaN. */
const earliest = (known: number, sentAt: number) => (known <= sentAt ? known : sentAt)
