import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import { AppError, type Refusal } from '../../http/routing/errors.ts'
import { createOnce } from '../../http/routing/idempotency.ts'
import { created, found, noContent, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { UserPath } from '../../http/routing/schema.ts'
import { defineListRoute } from '../../lists/list-route.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { FeatureDependencies } from '../dependencies.ts'
import * as schemas from './schemas.ts'
import * as sql from './sql.ts'
import { listVerdicts } from './verdict-sql.ts'
import { verdictValues } from './verdict-values.ts'

type SubmissionDependencies = Pick<FeatureDependencies, 'config' | 'metrics' | 'wakeRelay'>

/** The specification's Submissions table (D23 to D26). */
export function submissionRoutes({ config, metrics, wakeRelay }: SubmissionDependencies) {
  return [
    createRoute(config.sizes, wakeRelay),
    ...readingRoutes(),
    verdictRoute(config.extraStatuses, metrics),
    ...listingRoutes(),
  ]
}

function createRoute(sizes: Config['sizes'], wakeRelay: () => void) {
  return defineRoute({
    method: 'POST',
    url: '/v1/submissions',
    name: 'createSubmission',
    policy: 'user',
    limit: { rate: 'submissions', by: 'user' },
    takesIdempotencyKey: true,
    body: schemas.submissionCreation(sizes),
    responses: { 201: schemas.SubmissionCreatedResponse },
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'EVENT_NOT_ACTIVE'],
    handler: async ({ db, request, actor, body: { event_id = null, ...body } }) => {
      if (actor.role !== 2 && body.user_id !== actor.id) {
        throw new AppError('FORBIDDEN', 'user_id must be the caller’s own')
      }
      const values = { ...body, id: uuidv7() }
      const response = await createOnce({ db, request }, actor.id, async (tx) => {
        const submission =
          event_id === null
            ? found(await tx.query(sql.createSubmission, values), 'user')
            : found(await tx.query(sql.createEventSubmission, { ...values, event_id }), 'user')
        if (submission.outcome === 'created') return submission.body
        throw new AppError(...refusals[submission.outcome])
      })
      wakeRelay()
      return created(response)
    },
  })
}

const refusals: Record<sql.SubmissionRefusal, Refusal> = {
  no_user: ['NOT_FOUND', 'There is no such user'],
  no_event: ['NOT_FOUND', 'There is no such event'],
  needs_event: ['VALIDATION', 'event_id is required: the problem is part of a running event'],
  no_problem: ['NOT_FOUND', 'There is no such problem'],
  no_language: ['NOT_FOUND', 'There is no such language'],
  not_in_event: ['VALIDATION', 'problem_id must be a problem of the event'],
  not_running: ['EVENT_NOT_ACTIVE', 'The event is not running'],
}

function readingRoutes() {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/submissions/:submission_id',
      name: 'readSubmission',
      policy: 'owner, judge or admin',
      params: schemas.SubmissionPath,
      responses: { 200: schemas.SubmissionResponse },
      refusals: ['UNAUTHORIZED'],
      handler: async ({ db, params }) => ok(bodyForReader(await db.query(sql.readSubmission, params))),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/submissions/:submission_id/status',
      name: 'readSubmissionStatus',
      policy: 'owner, judge or admin',
      params: schemas.SubmissionPath,
      responses: { 200: schemas.SubmissionStatusResponse },
      refusals: ['UNAUTHORIZED'],
      handler: async ({ db, params }) => ok(bodyForReader(await db.query(sql.readStatus, params))),
    }),
    defineListRoute({
      url: '/v1/submissions/:submission_id/verdicts',
      name: 'listVerdicts',
      policy: 'owner, judge or admin',
      params: schemas.SubmissionPath,
      list: listVerdicts,
      item: schemas.VerdictResponse,
      refusals: ['UNAUTHORIZED'],
      check: async ({ db, params }) => {
        bodyForReader(await db.queryQuickly(sql.readStatus, params))
      },
    }),
  ]
}

/** Throws NOT_FOUND without a row, and UNAUTHORIZED without a body (specification, Submissions). */
function bodyForReader(rows: readonly { body: string | null }[]): string {
  const { body } = found(rows, 'submission')
  if (body === null) {
    throw new AppError('UNAUTHORIZED', 'Only its owner, a judge or an admin may read a submission')
  }
  return body
}

function verdictRoute(extraStatuses: readonly string[], metrics: Metrics | undefined) {
  return defineRoute({
    method: 'PATCH',
    url: '/v1/submissions/:submission_id',
    name: 'storeVerdict',
    policy: 'judge or admin',
    bodyLimit: 'verdict body',
    params: schemas.SubmissionPath,
    body: schemas.verdictBody(extraStatuses),
    responses: { 204: undefined },
    handler: async ({ db, params, body }) => {
      const rows = await db.query(sql.storeVerdict, verdictValues(params.submission_id, body))
      const verdict = found(rows, 'submission')
      if (verdict.outcome === 'unknown_case') {
        throw new AppError(
          'VALIDATION',
          `${verdict.unknown_case} is not a test case of the submission’s problem`,
        )
      }
      metrics?.countVerdict('submission', body.status)
      return noContent
    },
  })
}

function listingRoutes() {
  return [
    defineListRoute({
      url: '/v1/user_submissions/:user_id',
      name: 'listUserSubmissions',
      policy: 'self or admin',
      params: UserPath,
      list: sql.listUserSubmissions,
      item: schemas.SubmissionListedResponse,
    }),
    defineListRoute({
      url: '/v1/user_problem_submissions/:user_id/:problem_id',
      name: 'listUserProblemSubmissions',
      policy: 'self or admin',
      params: schemas.UserProblemPath,
      list: sql.listUserProblemSubmissions,
      item: schemas.SubmissionListedResponse,
    }),
  ]
}
