import { ask } from '../local-servers/database.ts'
import type { Stage } from './stage.ts'

const MAKE_PENDING = `
  with emptied as (delete from verdicts)
  update submissions set status = 'PENDING', judged_at = null, test_case_results = null
  where submissions.event_id = 1 and submissions.status <> 'PENDING'`

/** Counts through the submissions of the first contest, so that each gets one verdict. */
export class JudgedSubmissions {
  readonly #stage: Stage
  #next = Number.POSITIVE_INFINITY

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** The first submission for a slice. Makes all pending again when half are judged. */
  async next(): Promise<number> {
    const { database, world } = this.#stage
    if (this.#next > world.size.contests[0].submissions / 2) {
      for (const sql of [MAKE_PENDING, 'vacuum submissions', 'vacuum verdicts']) await ask(database, sql)
      this.#next = 0
    }
    return this.#next
  }

  /** Adds judged submissions. */
  note(count: number): void {
    this.#next += count
  }
}
