/**
 * What changed (P25). `submission`: it was stored. `judging`: its status was written. `tests`: the
 * test cases of a problem.
 * `notification`: some were created or read. `reveal`: frozen cells of a user were revealed or
 * hidden again.
 */
type ChangeKind =
  | 'submission'
  | 'judging'
  | 'notification'
  | 'question'
  | 'contest'
  | 'problem'
  | 'tests'
  | 'participant'
  | 'team'
  | 'user'
  | 'language'
  | 'reveal'

/** A row of the change log, with the present state of what it names. */
export interface Change {
  readonly kind: ChangeKind
  /** Null: it concerns no contest, or several; with `isReset` all. */
  readonly eventId: number | null
  /**
   * The id of the submission, the question of a notification, the question, problem, participant's
   * user, team, user, language, or the user of revealed cells (null: all); null for `contest`.
   */
  readonly objectId: string | null
  /** The users whom it concerns alone: a submission's owner, recipients of notifications. */
  readonly userIds: readonly string[] | null
  /** Objects may have disappeared for some readers: they read everything again. */
  readonly isReset: boolean
  /** It concerns a hidden problem or participant: only those who see it, or are it, learn of it. */
  readonly isForJury: boolean
  /** The present status of a submission. */
  readonly status: string | null
}

/** Changes in the order of each object's writes; `position` is a token from which to go on. */
export interface ChangeBatch {
  readonly position: string
  readonly changes: readonly Change[]
}

/** Changes since a position. */
export interface ChangesSince extends ChangeBatch {
  /** When the position was read, in seconds by the database's clock. */
  readonly sinceSeconds: number
}

/** A reader of the change log. */
export interface Following {
  /** All batches after this position reach the listener. */
  readonly position: string
  /** All batches up to here have reached the listener. */
  reached(): string
  stop(): void
}
