import type { Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { NIL_UUID } from '../../../http/routing/tokens.ts'
import { choose, defineChoiceRoute } from '../../../lists/list-route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import * as decide from './decide-sql.ts'
import { readRankChanges } from './rank-changes.ts'
import {
  createDecision,
  decisionFilters,
  filtersOf,
  lockRequests,
  MOST_PROGRAM_BYTES,
  MOST_SUBMISSIONS,
  type Requested,
} from './request-sql.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'

type DecisionDependencies = Pick<FeatureDependencies, 'config' | 'wakeRelay'>

/** Rejudgings whose verdicts staff sees first, and then applies or cancels (P24). */
export function rejudgingDecisionRoutes(deps: DecisionDependencies) {
  return [requestRoute(deps), ...readingRoutes(), ...decidingRoutes(deps)]
}

function requestRoute({ config, wakeRelay }: DecisionDependencies) {
  return defineRoute('createRejudgingDecision', 'POST /v1/rejudgings', {
    policy: 'user',
    pool: 'bulk',
    body: schemas.decisionCreation(config.extraStatuses),
    responses: { 202: schemas.DecisionCreatedResponse },
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'REJUDGING_OPEN', 'TOO_MANY_REJUDGINGS'],
    handler: async ({ db, body }) => {
      const filters = filtersOf(body)
      if (filters.length === 0) {
        throw new AppError('VALIDATION', `At least one of ${decisionFilters.join(', ')} is required`)
      }
      const id = uuidv7()
      const values = { ...body, id, reason: body.reason }
      const requested = await db.transaction(async (tx) => {
        await tx.query(lockRequests, { event_id: body.event_id ?? null })
        return found(await tx.query(createDecision(filters), values), 'event')
      })
      if (requested.outcome !== 'created') throw refusals[requested.outcome](requested)
      wakeRelay()
      return { ...ok(JSON.stringify({ id })), status: 202, headers: { location: `/v1/rejudgings/${id}` } }
    },
  })
}

const MOST_MIB = MOST_PROGRAM_BYTES / 1024 / 1024

const notStaff = () =>
  new AppError('FORBIDDEN', 'Only admins may do this without event_id; with it, the contest’s staff')

const refusals: Record<Exclude<Requested['outcome'], 'created'>, (requested: Requested) => AppError> = {
  no_event: () => notFound('event'),
  not_staff: notStaff,
  is_open: ({ open_id }) => {
    const message = `The rejudging ${open_id} with the same filters is open: apply or cancel it first`
    return new AppError('REJUDGING_OPEN', message, open_id === null ? {} : { rejudging_id: open_id })
  },
  no_room: ({ total, open_total }) =>
    new AppError(
      'TOO_MANY_REJUDGINGS',
      `The open rejudgings of the contest have ${open_total} submissions, and this one ${total}, of at most ${MOST_SUBMISSIONS} with programs of ${MOST_MIB} MiB together: apply or cancel some first`,
    ),
  none: () => new AppError('NOT_FOUND', 'No submission with a verdict matches'),
  too_many: ({ total }) =>
    new AppError(
      'VALIDATION',
      `${total} submissions match, of at most ${MOST_SUBMISSIONS}: give more filters, and rejudge them in parts`,
    ),
  too_large: ({ total }) =>
    new AppError(
      'VALIDATION',
      `The programs of the ${total} submissions have more than ${MOST_MIB} MiB: give more filters, and rejudge them in parts`,
    ),
}

function readingRoutes() {
  return [
    defineChoiceRoute('listRejudgingDecisions', '/v1/rejudgings', {
      policy: 'user',
      query: schemas.DecisionsQuery,
      lists: [sql.listDecisions, sql.listEventDecisions],
      item: schemas.DecisionListedResponse,
      refusals: ['FORBIDDEN', 'NOT_FOUND'],
      choose: async ({ db, actor, query: { event_id } }) => {
        if (event_id === undefined) {
          await db.confirm()
          if (actor.role !== 2) throw notStaff()
          return choose(sql.listDecisions, {})
        }
        const { is_staff } = found(await db.queryQuickly(sql.readStaff, { event_id }), 'event')
        if (!is_staff) throw notStaff()
        return choose(sql.listEventDecisions, { event_id })
      },
    }),
    defineRoute('readRejudgingDecision', 'GET /v1/rejudgings/:decision_id', {
      policy: 'user',
      pool: 'bulk',
      responses: { 200: schemas.DecisionResponse },
      handler: async ({ db, params }) => ok(await read(db, params)),
    }),
  ]
}

function decidingRoutes({ wakeRelay }: DecisionDependencies) {
  const route = {
    policy: 'user',
    pool: 'bulk',
    responses: { 200: schemas.DecisionResponse },
  } as const
  return [
    defineRoute('applyRejudgingDecision', 'POST /v1/rejudgings/:decision_id/apply', {
      ...route,
      refusals: ['REJUDGING_PENDING', 'REJUDGING_DECIDED'],
      handler: async ({ db, params }) =>
        ok(
          await decideOnce(db, params, async (tx) => {
            if ((await tx.query(decide.findPending, params)).length > 0) {
              const advice = 'wait for them, or cancel the rejudging'
              throw new AppError('REJUDGING_PENDING', `Judgings are pending: ${advice}`)
            }
            let after: string | null = NIL_UUID
            while (after !== null) after = await applyAfter(tx, params, after)
            // Before the standings change.
            const changes = await readRankChanges(tx, await tx.query(decide.listNewResults, params))
            await tx.query(decide.keepRanks, { ...params, rank_changes: JSON.stringify(changes) })
            await tx.query(decide.finishApplying, params)
          }),
        ),
    }),
    defineRoute('cancelRejudgingDecision', 'POST /v1/rejudgings/:decision_id/cancel', {
      ...route,
      refusals: ['REJUDGING_DECIDED'],
      handler: async ({ db, params }) => {
        const body = await decideOnce(db, params, (tx) => tx.query(decide.cancelDecision, params))
        // The next shadow judging may be published.
        wakeRelay()
        return ok(body)
      },
    }),
  ]
}

interface DecisionId {
  readonly decision_id: string
}

/** A decision as JSON; of an open one, the ranks that it would change are counted now. */
async function read(db: ActorDatabase, id: DecisionId): Promise<string> {
  const { body } = found(await db.query(sql.readDecision, id), 'rejudging')
  const decision: Decision = JSON.parse(body)
  if (decision.state !== 'OPEN') return body
  const results = decision.changes.flatMap(({ event_id, to_status, to_score = null, ...submission }) =>
    event_id === undefined ? [] : { ...submission, event_id, status: to_status, score: to_score },
  )
  return JSON.stringify({ ...decision, rank_changes: await readRankChanges(db, results) })
}

type Decision = Static<typeof schemas.DecisionResponse>

/** Decides in one transaction; returns the rejudging. Throws NOT_FOUND and REJUDGING_DECIDED. */
function decideOnce(db: ActorDatabase, id: DecisionId, work: (tx: ActorDatabase) => Promise<unknown>) {
  return db.transaction(async (tx) => {
    const { state } = found(await tx.query(decide.lockDecision, id), 'rejudging')
    if (state !== 'OPEN') {
      const done = state === 'APPLIED' ? 'applied' : 'cancelled'
      throw new AppError('REJUDGING_DECIDED', `The rejudging was ${done} already`)
    }
    await work(tx)
    return read(tx, id)
  })
}

/** The last id of the batch; null: there was none. */
async function applyAfter(tx: ActorDatabase, id: DecisionId, after: string): Promise<string | null> {
  const [batch] = await tx.query(decide.applyBatch, { ...id, after })
  return batch?.last_id ?? null
}
