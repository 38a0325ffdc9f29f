import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields } from '../../http/routing/schema.ts'
import { rejudgeDocs } from '../../openapi/operations/rejudging.ts'
import { RejudgeBody, RejudgeResponse } from '../submissions/schemas.ts'
import { findMissing, type Rejudged, type RejudgeFilter, rejudge, rejudgeFilters } from './sql.ts'

const filterNames = Object.keys(rejudgeFilters) as RejudgeFilter[]

/** Judging again what has been judged, for admins. */
export function rejudgeRoutes(wakeRelay: () => void): Route[] {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/admin/rejudge',
      name: 'rejudge',
      summary: 'Judge submissions again',
      docs: rejudgeDocs.rejudge,
      policy: 'admin',
      limit: 'none',
      bodyLimit: 'body',
      pool: 'bulk',
      schema: {
        params: NoFields,
        query: NoFields,
        body: RejudgeBody,
        answers: { 200: RejudgeResponse },
        refusals: ['NOT_FOUND'],
      },
      handler: async ({ db, body }) => {
        const filters = filterNames.filter((name) => body[name] !== undefined && body[name] !== null)
        if (filters.length === 0)
          throw new AppError('VALIDATION', `At least one of ${filterNames.join(', ')} is required`)
        const ids = filters.map((name) => body[name] ?? null)
        const [first] = await db.ask(findMissing(filters), ids)
        if (first !== undefined)
          throw new AppError('NOT_FOUND', `There is no such ${first.missing.replace('_id', '')}`)
        return ok(JSON.stringify({ count: await rejudgeAll(db, filters, ids, wakeRelay) }))
      },
    }),
  ]
}

/** Batch by batch, each a transaction of its own: verdicts of live submissions are not held up, and what is cut off can be asked for again. */
async function rejudgeAll(
  db: ActorDatabase,
  filters: readonly RejudgeFilter[],
  ids: readonly (string | number | null)[],
  wakeRelay: () => void,
): Promise<number> {
  const statement = rejudge(filters)
  let total = 0
  let [batch]: Rejudged[] = await db.ask(statement, [...ids, null, null])
  while (batch !== undefined && batch.last !== null) {
    total += batch.count
    wakeRelay()
    ;[batch] = await db.ask(statement, [...ids, batch.last, batch.until])
  }
  return total
}
