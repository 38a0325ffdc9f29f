import { row, statement } from '../db/statement.ts'

/**
 * Ranks problems by full text and by trigrams of their titles, best first (D38). Triggers keep the
 * index up to date. The problem list decides which of them the caller may see.
 */
export const findProblems = statement({
  name: 'find_problems',
  params: { text: 'text' },
  row: row<{ problem_id: number }>(),
  sql: `select found.problem_id
        from search_problems(:text) as found
        order by found.rank desc, found.problem_id`,
})
