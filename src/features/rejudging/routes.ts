import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import { notFound, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import type { FeatureDependencies } from '../dependencies.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type RejudgeDependencies = Pick<FeatureDependencies, 'wakeRelay'>

/** Judging submissions again, for admins. */
export function rejudgeRoutes({ wakeRelay }: RejudgeDependencies) {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/admin/rejudge',
      name: 'rejudge',
      policy: 'admin',
      pool: 'bulk',
      body: schemas.RejudgeBody,
      responses: { 200: schemas.RejudgeResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, body }) => {
        const filters = sql.rejudgeFilters.filter((name) => (body[name] ?? null) !== null)
        if (filters.length === 0) {
          throw new AppError('VALIDATION', `At least one of ${sql.rejudgeFilters.join(', ')} is required`)
        }
        const [first] = await db.query(sql.findMissing(filters), body)
        if (first !== undefined) throw notFound(first.missing)
        return ok(JSON.stringify({ count: await rejudgeAll(db, filters, body, wakeRelay) }))
      },
    }),
  ]
}

/** One transaction per batch: verdicts wait for one batch only. Clients can repeat the request. */
async function rejudgeAll(
  db: ActorDatabase,
  filters: readonly sql.RejudgeFilter[],
  ids: sql.RejudgeIds,
  wakeRelay: () => void,
): Promise<number> {
  const statement = sql.rejudge(filters)
  let total = 0
  let [batch] = await db.query(statement, { ...ids, after: null, until: null })
  while (batch !== undefined && batch.last !== null) {
    total += batch.count
    wakeRelay()
    ;[batch] = await db.query(statement, { ...ids, after: batch.last, until: batch.until })
  }
  return total
}
