import type { Queryable } from '../db/database.ts'

/** The port to a search engine (D38): it ranks, and the list of problems shows what the caller may see of it. */
export interface ProblemSearch {
  /** Answers the ids of the problems that fit a text, the best first, whoever may see them. */
  findProblems(db: Queryable, text: string): Promise<number[]>
}
