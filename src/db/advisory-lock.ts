/**
 * What a lock protects; the numbers are the first half of the lock's key in PostgreSQL. Migrations
 * also lock 7231903 (the texts of an event) and 7231905647 (published runs), `migrate` 7231905646.
 */
const SUBJECTS = { event: 7_231_901, categories: 7_231_902, rejudgings: 7_231_904 } as const

/**
 * SQL of a lock until the end of the transaction. Unlike row locks, advisory locks are granted in
 * the order of the requests: a stream of shared locks cannot delay an exclusive one for ever.
 */
export const lockExclusively = (subject: keyof typeof SUBJECTS, id = '0') =>
  `(select pg_advisory_xact_lock(${SUBJECTS[subject]}, ${id}))`

/** SQL of a shared lock until the end of the transaction. */
export const lockShared = (subject: keyof typeof SUBJECTS, id = '0') =>
  `(select pg_advisory_xact_lock_shared(${SUBJECTS[subject]}, ${id}))`
