import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../../config/config.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { createOnce } from '../../../http/routing/idempotency.ts'
import { created, found, noContent, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { UserPath } from '../../../http/routing/schema.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import type { Metrics } from '../../../metrics/metrics.ts'
import { readCapabilities, requireCapabilities, workerTooOld } from '../../shared/access/capabilities.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { settleVerification } from '../verifications/settle.ts'
import { createSubmission } from './create-sql.ts'
import { renewJudging } from './heartbeat-sql.ts'
import * as schemas from './schemas.ts'
import { readShadow, readShadowStatus } from './shadow-sql.ts'
import * as sql from './sql.ts'
import { type StoredVerdict, storeShadowVerdict, storeVerdict } from './store-verdict-sql.ts'
import { submissionRefusal, submitToEvent } from './submit-to-event.ts'
import { listJudgings, listVerdicts } from './verdict-sql.ts'
import { verdictValues } from './verdict-values.ts'

type SubmissionDependencies = Pick<FeatureDependencies, 'config' | 'metrics' | 'wakeRelay'>

/** The specification's Submissions table (D23 to D26). */
export function submissionRoutes({ config, metrics, wakeRelay }: SubmissionDependencies) {
  return [
    createRoute(config.sizes, wakeRelay),
    ...readingRoutes(config.queue.requeueAfterSeconds),
    verdictRoute(config.extraStatuses, metrics, wakeRelay),
    heartbeatRoute(),
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
    refusals: ['FORBIDDEN', 'NOT_FOUND', 'NOT_A_PARTICIPANT', 'EVENT_NOT_ACTIVE'],
    handler: async ({ db, request, actor, body: { event_id = null, ...body } }) => {
      if (actor.role !== 2 && body.user_id !== actor.id) {
        throw new AppError('FORBIDDEN', 'user_id must be the caller’s own')
      }
      const values = { ...body, id: uuidv7() }
      const response = await createOnce({ db, request }, actor.id, async (once, key) => {
        if (event_id !== null) return submitToEvent(once, { ...values, ...key, event_id })
        const submission = found(await once.query(createSubmission, { ...values, ...key }), 'user')
        if (submission.outcome === 'created') return submission.body
        throw submissionRefusal(submission.outcome)
      })
      wakeRelay()
      return created(response)
    },
  })
}

function readingRoutes(requeue_after: number) {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/submissions/:submission_id',
      name: 'readSubmission',
      policy: 'owner, judge or admin',
      needsCapabilities: true,
      params: schemas.SubmissionPath,
      responses: { 200: schemas.SubmissionResponse },
      refusals: ['UNAUTHORIZED'],
      handler: async ({ db, request, actor, params }) => {
        const values = { ...params, requeue_after }
        const shortOnes = await db.query(sql.readSubmission, values)
        const isLong = shortOnes[0]?.is_long === true
        const submissions = isLong ? await db.query(sql.readLongSubmission, values) : shortOnes
        if (submissions.length > 0 || actor.role === 0) return ok(bodyForReader(submissions))
        const shadows = await db.query(readShadow, { ...values, ...readCapabilities(request) })
        requireCapabilities(found(shadows, 'submission').missing_capabilities)
        return ok(bodyForReader(shadows))
      },
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/submissions/:submission_id/status',
      name: 'readSubmissionStatus',
      policy: 'owner, judge or admin',
      params: schemas.SubmissionPath,
      responses: { 200: schemas.SubmissionStatusResponse },
      refusals: ['UNAUTHORIZED'],
      handler: async ({ db, actor, params }) => {
        const submissions = await db.query(sql.readStatus, params)
        const isFound = submissions.length > 0 || actor.role === 0
        return ok(bodyForReader(isFound ? submissions : await db.query(readShadowStatus, params)))
      },
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
    defineListRoute({
      url: '/v1/submissions/:submission_id/judgings',
      name: 'listJudgings',
      policy: 'judge or admin',
      params: schemas.SubmissionPath,
      list: listJudgings,
      item: schemas.JudgingResponse,
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

function verdictRoute(extraStatuses: readonly string[], metrics: Metrics | undefined, wakeRelay: () => void) {
  return defineRoute({
    method: 'PATCH',
    url: '/v1/submissions/:submission_id',
    name: 'storeVerdict',
    policy: 'judge or admin',
    bodyLimit: 'verdict body',
    needsCapabilities: true,
    params: schemas.SubmissionPath,
    body: schemas.verdictBody(extraStatuses),
    responses: { 204: undefined },
    handler: async ({ db, request, params, body }) => {
      const values = { ...verdictValues(params.submission_id, body), ...readCapabilities(request) }
      const [ofSubmission] = await db.query(storeVerdict, values)
      const verdict = ofSubmission ?? found(await db.query(storeShadowVerdict, values), 'submission')
      const { outcome, verification_id } = verdict
      if (outcome !== 'stored' && outcome !== 'late') throw verdictFaults[outcome](verdict)
      metrics?.countVerdict(ofSubmission === undefined ? 'shadow' : 'submission', body.status)
      // The next shadow judging may be published.
      if (ofSubmission === undefined) wakeRelay()
      // The verdict is stored. The service also settles at its start and every minute.
      if (verification_id !== null)
        await settleVerification(db, verification_id).catch((err: unknown) =>
          request.log.warn({ err, verification_id }, 'a verification was not settled'),
        )
      return noContent
    },
  })
}

const invalid = (message: string) => new AppError('VALIDATION', message)

const verdictFaults: Record<
  Exclude<StoredVerdict['outcome'], 'stored' | 'late'>,
  (verdict: StoredVerdict) => AppError
> = {
  too_old: ({ missing_capabilities }) => workerTooOld(missing_capabilities ?? ''),
  unknown_case: ({ unknown_case }) =>
    invalid(`${unknown_case} is not a test case of the submission’s problem`),
  no_groups: ({ verification_id }) =>
    invalid(
      `score must be absent: the problem has no test groups${verification_id === null ? '' : ', or a validator is judged'}`,
    ),
  above_maximum: ({ max_score }) => invalid(`score must be at most ${max_score}, the problem’s max_score`),
  not_full: ({ max_score }) => invalid(`score must be ${max_score}, the problem’s max_score, with ACCEPTED`),
}

function heartbeatRoute() {
  return defineRoute({
    method: 'POST',
    url: '/v1/submissions/:submission_id/heartbeat',
    name: 'renewJudging',
    policy: 'judge or admin',
    params: schemas.SubmissionPath,
    body: schemas.HeartbeatBody,
    responses: { 204: undefined },
    refusals: ['JUDGING_ENDED'],
    handler: async ({ db, params, body }) => {
      const { outcome } = found(await db.query(renewJudging, { ...params, ...body }), 'submission')
      if (outcome === 'renewed') return noContent
      throw new AppError(
        'JUDGING_ENDED',
        'The judging has ended: the submission has a verdict, or was queued again',
      )
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
