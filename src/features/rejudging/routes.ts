import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { notFound, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { RejudgeBody, RejudgeResponse } from './schemas.ts'
import { findMissing, type RejudgeFilter, type RejudgeIds, rejudge, rejudgeFilters } from './sql.ts'

interface RejudgeDependencies {
  /** Tells the relay, after the commit, that a message waits. */
  readonly wakeRelay: () => void
}

/** Judging submissions again, for admins. */
export function rejudgeRoutes({ wakeRelay }: RejudgeDependencies) {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/admin/rejudge',
      name: 'rejudge',
      policy: 'admin',
      pool: 'bulk',
      body: RejudgeBody,
      responses: { 200: RejudgeResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, body }) => {
        const ids = {
          submission_id: body.submission_id ?? null,
          problem_id: body.problem_id ?? null,
          event_id: body.event_id ?? null,
          language_id: body.language_id ?? null,
          user_id: body.user_id ?? null,
        }
        const filters = rejudgeFilters.filter((name) => ids[name] !== null)
        if (filters.length === 0) {
          throw new AppError('VALIDATION', `At least one of ${rejudgeFilters.join(', ')} is required`)
        }
        const [first] = await db.query(findMissing(filters), ids)
        if (first !== undefined) throw notFound(first.missing)
        return ok(JSON.stringify({ count: await rejudgeAll(db, filters, ids, wakeRelay) }))
      },
    }),
  ]
}

/** One transaction per batch: verdicts wait for one batch only. Clients can repeat the request. */
async function rejudgeAll(
  db: ActorDatabase,
  filters: readonly RejudgeFilter[],
  ids: RejudgeIds,
  wakeRelay: () => void,
): Promise<number> {
  const statement = rejudge(filters)
  let total = 0
  let [batch] = await db.query(statement, { ...ids, after: null, until: null })
  while (batch !== undefined && batch.last !== null) {
    total += batch.count
    wakeRelay()
    ;[batch] = await db.query(statement, { ...ids, after: batch.last, until: batch.until })
  }
  return total
}
