import { type Database, statement } from '../db/database.ts'
import { migrate, searchMigrations } from '../db/migrate.ts'
import type { ProblemSearch } from './problem-search.ts'

const findProblems = statement<{ problem_id: number }>(
  'find_problems',
  `select found.problem_id
   from search_problems($1::text) as found
   order by found.rank desc, found.problem_id`,
)

/** Full text over titles, identifiers, categories, sources and prompts, and trigrams over titles, kept in step by the database (D38). */
export async function openPostgresSearch(database: Database): Promise<ProblemSearch> {
  await migrate(database, searchMigrations)
  return {
    async findProblems(db, text) {
      const rows = await db.query(findProblems, [text])
      return rows.map((row) => row.problem_id)
    },
  }
}
