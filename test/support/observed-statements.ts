import { vi } from 'vitest'
import type { Database, Queryable } from '../../src/db/database.ts'

/** Calls `note` with the name of each statement outside transactions, until the result is called. */
export function observeStatements(database: Database, note: (name: string) => void): () => void {
  const forRequest = database.forRequest.bind(database)
  const query = database.query.bind(database)
  const observe = (ask: Queryable['query']): Queryable['query'] => {
    return (statement, ...values) => {
      note(statement.name)
      return ask(statement, ...values)
    }
  }
  const spies = [
    vi.spyOn(database, 'query').mockImplementation(observe(query)),
    vi.spyOn(database, 'forRequest').mockImplementation((requester) => {
      const own = forRequest(requester)
      return { ...own, query: observe(own.query) }
    }),
  ]
  return () => {
    for (const spy of spies) spy.mockRestore()
  }
}
