import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../http/routing/errors.ts'
import { createOnce } from '../../http/routing/idempotency.ts'
import { created, found, noContent, ok } from '../../http/routing/responses.ts'
import { defineRoute } from '../../http/routing/route.ts'
import { UserPath } from '../../http/routing/schema.ts'
import { choose, defineChoiceRoute, defineListRoute } from '../../lists/list-route.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import {
  SubmissionCreatedResponse,
  SubmissionListedResponse,
  SubmissionPath,
  SubmissionResponse,
  SubmissionStatusResponse,
  submissionCreation,
  UserProblemPath,
  VerdictResponse,
  verdictBody,
} from './schemas.ts'
import {
  createEventSubmission,
  createSubmission,
  listUserProblemSubmissions,
  listUserSubmissions,
  readStatus,
  readSubmission,
  type SubmissionRefusal,
  storeVerdict,
} from './sql.ts'
import { listVerdicts } from './verdict-sql.ts'
import { verdictValues } from './verdict-values.ts'

interface SubmissionDependencies {
  readonly config: Pick<Config, 'sizes' | 'extraStatuses'>
  readonly metrics: Metrics | undefined
  /** Tells the relay, after the commit, that a message waits. */
  readonly wakeRelay: () => void
}

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
    body: submissionCreation(sizes),
    responses: { 201: SubmissionCreatedResponse },
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'EVENT_NOT_ACTIVE'],
    handler: async ({ db, request, actor, body: { event_id = null, ...body } }) => {
      if (actor.role !== 2 && body.user_id.toLowerCase() !== actor.id) {
        throw new AppError('FORBIDDEN', 'user_id must be the caller’s own')
      }
      const values = { ...body, id: uuidv7() }
      const response = await createOnce({ db, request }, actor.id, async (tx) => {
        const submission =
          event_id === null
            ? found(await tx.query(createSubmission, values), 'user')
            : found(await tx.query(createEventSubmission, { ...values, event_id }), 'user')
        if (submission.outcome === 'created') return submission.body
        const [kind, message] = submissionErrors[submission.outcome]
        throw new AppError(kind, message)
      })
      wakeRelay()
      return created(response)
    },
  })
}

const submissionErrors = {
  no_user: ['NOT_FOUND', 'There is no such user'],
  no_event: ['NOT_FOUND', 'There is no such event'],
  needs_event: ['VALIDATION', 'event_id is required: the problem is part of a running event'],
  no_problem: ['NOT_FOUND', 'There is no such problem'],
  no_language: ['NOT_FOUND', 'There is no such language'],
  not_in_event: ['VALIDATION', 'problem_id must be a problem of the event'],
  not_running: ['EVENT_NOT_ACTIVE', 'The event is not running'],
} as const satisfies Record<SubmissionRefusal, ConstructorParameters<typeof AppError>>

function readingRoutes() {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/submissions/:submission_id',
      name: 'readSubmission',
      policy: 'owner, judge or admin',
      params: SubmissionPath,
      responses: { 200: SubmissionResponse },
      refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
      handler: async ({ db, params }) => ok(bodyForReader(await db.query(readSubmission, params))),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/submissions/:submission_id/status',
      name: 'readSubmissionStatus',
      policy: 'owner, judge or admin',
      params: SubmissionPath,
      responses: { 200: SubmissionStatusResponse },
      refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
      handler: async ({ db, params }) => ok(bodyForReader(await db.query(readStatus, params))),
    }),
    defineChoiceRoute({
      url: '/v1/submissions/:submission_id/verdicts',
      name: 'listVerdicts',
      policy: 'owner, judge or admin',
      params: SubmissionPath,
      lists: [listVerdicts],
      item: VerdictResponse,
      refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
      choose: async ({ db, params }) => {
        bodyForReader(await db.query(readStatus, params))
        return choose(listVerdicts, params)
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
    params: SubmissionPath,
    body: verdictBody(extraStatuses),
    responses: { 204: undefined },
    refusals: ['NOT_FOUND'],
    handler: async ({ db, params, body }) => {
      const rows = await db.query(storeVerdict, verdictValues(params.submission_id, body))
      const { unknown_case } = found(rows, 'submission')
      if (unknown_case !== null) {
        throw new AppError('VALIDATION', `${unknown_case} is not a test case of the submission’s problem`)
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
      list: listUserSubmissions,
      item: SubmissionListedResponse,
    }),
    defineListRoute({
      url: '/v1/user_problem_submissions/:user_id/:problem_id',
      name: 'listUserProblemSubmissions',
      policy: 'self or admin',
      params: UserProblemPath,
      list: listUserProblemSubmissions,
      item: SubmissionListedResponse,
    }),
  ]
}
