import { statement } from '../../src/db/database.ts'
import type { Stage } from './stage.ts'

const MAKE_PENDING = statement(
  '',
  `with emptied as (delete from verdicts)
   update submissions set status = 'PENDING', judged_at = null, test_case_results = null
   where submissions.event_id = 1 and submissions.status <> 'PENDING'`,
)

/** The submissions of the first contest, which verdicts are measured on: each is judged once, as it is in life. */
export class JudgedSubmissions {
  readonly #stage: Stage
  #next = Number.POSITIVE_INFINITY

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** The first that a slice is to judge; they are all made pending where it might run out of them. */
  async next(): Promise<number> {
    if (this.#next > this.#stage.world.size.contests[0].submissions / 2) {
      await this.#stage.admin.query(MAKE_PENDING)
      await this.#stage.admin.query(statement('', 'vacuum submissions'))
      await this.#stage.admin.query(statement('', 'vacuum verdicts'))
      this.#next = 0
    }
    return this.#next
  }

  /** So many more have been judged. */
  note(count: number): void {
    this.#next += count
  }
}
