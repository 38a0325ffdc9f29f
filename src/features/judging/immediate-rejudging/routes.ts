import { v7 as uuidv7 } from 'uuid'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type RejudgeDependencies = Pick<FeatureDependencies, 'wakeRelay'>

/** Judging submissions again, for admins. */
export function rejudgeRoutes({ wakeRelay }: RejudgeDependencies) {
  return [
    defineRoute('rejudge', 'POST /v1/admin/rejudge', {
      policy: 'admin',
      pool: 'bulk',
      body: schemas.RejudgeBody,
      responses: { 200: schemas.RejudgingResponse, 202: schemas.RejudgingResponse },
      refusals: ['NOT_FOUND'],
      handler: async ({ db, body }) => {
        const filters = sql.filtersOf(body)
        if (filters.length === 0) {
          throw new AppError('VALIDATION', `At least one of ${sql.rejudgeFilters.join(', ')} is required`)
        }
        const [first] = await db.query(sql.findMissing(filters), body)
        if (first !== undefined) throw notFound(first.missing)
        const id = await openRejudging(db, filters, body)
        // A short rejudging ends with this batch; `startRejudging` continues a long one.
        const [batch] = await db.query(sql.queueBatch(filters), { ...body, id })
        if (batch !== undefined && batch.queued > 0) wakeRelay()
        const rows = await db.query(sql.readRejudging, { rejudging_id: id })
        const { status, body: text } = found(rows, 'rejudging')
        if (status === 'QUEUED') return ok(text)
        return { ...ok(text), status: 202, headers: { location: `/v1/admin/rejudgings/${id}` } }
      },
    }),
    defineListRoute('listRejudgings', '/v1/admin/rejudgings', {
      policy: 'admin',
      list: sql.listRejudgings,
      item: schemas.RejudgingResponse,
    }),
    defineRoute('readRejudging', 'GET /v1/admin/rejudgings/:rejudging_id', {
      policy: 'admin',
      responses: { 200: schemas.RejudgingResponse },
      handler: async ({ db, params }) =>
        ok(found(await db.query(sql.readRejudging, params), 'rejudging').body),
    }),
  ]
}

const TRIES = 3

/** The id of a new rejudging, or of one with the same filters that is being queued. */
async function openRejudging(db: ActorDatabase, filters: readonly sql.RejudgeFilter[], ids: sql.RejudgeIds) {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const [created] = await db.query(sql.createRejudging(filters), { ...ids, id: uuidv7() })
    if (created !== undefined) return created.id
    const [queueing] = await db.query(sql.findQueueing, ids)
    if (queueing !== undefined) return queueing.id
    // It was finished between the two statements.
  }
  throw new AppError('UNAVAILABLE', 'The same rejudging was requested too often at once; try again shortly')
}
