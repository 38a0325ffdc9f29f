import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../../config/config.ts'
import { AppError, invalid, type Refusal } from '../../../http/routing/errors.ts'
import { createOnce } from '../../../http/routing/idempotency.ts'
import { created, found, noContent, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { choose, defineChoiceRoute, defineListRoute } from '../../../lists/list-route.ts'
import type { Metrics } from '../../../metrics/metrics.ts'
import { readCapabilities, requireCapabilities, workerTooOld } from '../../shared/access/capabilities.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { settleVerification } from '../verifications/settle.ts'
import * as contestSql from './contest-sql.ts'
import { createSubmission } from './create-sql.ts'
import * as schemas from './schemas.ts'
import { readShadow, readShadowStatus } from './shadow-sql.ts'
import * as sql from './sql.ts'
import { renewJudging, type StoredVerdict, storeShadowVerdict, storeVerdict } from './store-verdict-sql.ts'
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
  return defineRoute('createSubmission', 'POST /v1/submissions', {
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
    defineRoute('readSubmission', 'GET /v1/submissions/:submission_id', {
      policy: 'owner, judge or admin',
      needsCapabilities: true,
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
    defineRoute('readSubmissionStatus', 'GET /v1/submissions/:submission_id/status', {
      policy: 'owner, judge or admin',
      responses: { 200: schemas.SubmissionStatusResponse },
      refusals: ['UNAUTHORIZED'],
      handler: async ({ db, actor, params }) => {
        const submissions = await db.query(sql.readStatus, params)
        const isFound = submissions.length > 0 || actor.role === 0
        return ok(bodyForReader(isFound ? submissions : await db.query(readShadowStatus, params)))
      },
    }),
    defineListRoute('listVerdicts', '/v1/submissions/:submission_id/verdicts', {
      policy: 'owner, judge or admin',
      list: listVerdicts,
      item: schemas.VerdictResponse,
      refusals: ['UNAUTHORIZED'],
      check: async ({ db, params }) => {
        bodyForReader(await db.queryQuickly(sql.readStatus, params))
      },
    }),
    defineListRoute('listJudgings', '/v1/submissions/:submission_id/judgings', {
      policy: 'judge or admin',
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
  return defineRoute('storeVerdict', 'PATCH /v1/submissions/:submission_id', {
    policy: 'judge or admin',
    bodyLimit: 'verdict body',
    needsCapabilities: true,
    body: schemas.verdictBody(extraStatuses),
    responses: { 204: undefined },
    handler: async ({ db, request, params, body }) => {
      const values = { ...verdictValues(params.submission_id, body), ...readCapabilities(request) }
      const [ofSubmission] = await db.query(storeVerdict, values)
      const verdict = ofSubmission ?? found(await db.query(storeShadowVerdict, values), 'submission')
      const { outcome, verification_id } = verdict
      if (outcome !== 'stored' && outcome !== 'late') throw verdictFaults[outcome](verdict)
      metrics?.countVerdict(ofSubmission === undefined ? 'shadow' : 'submission', body.reason ?? body.status)
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
  return defineRoute('renewJudging', 'POST /v1/submissions/:submission_id/heartbeat', {
    policy: 'judge or admin',
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
    defineListRoute('listUserSubmissions', '/v1/user_submissions/:user_id', {
      policy: 'self or admin',
      list: sql.listUserSubmissions,
      item: schemas.SubmissionListedResponse,
    }),
    defineListRoute('listUserProblemSubmissions', '/v1/user_problem_submissions/:user_id/:problem_id', {
      policy: 'self or admin',
      list: sql.listUserProblemSubmissions,
      item: schemas.SubmissionListedResponse,
    }),
  ]
}

/** The submissions of an event (specification, Submission filter rules; D28). */
export function eventSubmissionRoutes() {
  return [
    defineChoiceRoute('listEventSubmissions', '/v1/events/:event_id/submissions', {
      policy: 'user',
      query: schemas.EventSubmissionsQuery,
      lists: [
        contestSql.listEventSubmissions,
        contestSql.listEventSubmissionsOfUser,
        contestSql.listEventSubmissionsOfTeam,
      ],
      item: schemas.EventSubmissionResponse,
      refusals: ['FORBIDDEN'],
      choose: async ({ db, params: { event_id }, query: { user, team } }) => {
        if (user !== undefined && team !== undefined) {
          throw new AppError('VALIDATION', 'user and team must not be given together')
        }
        const rows = await db.queryQuickly(contestSql.readSubmissionAccess, {
          event_id,
          user_id: user,
          team_id: team,
        })
        const { outcome } = found(rows, 'event')
        if (outcome !== 'allowed') throw new AppError(...listRefusals[outcome])
        if (user !== undefined)
          return choose(contestSql.listEventSubmissionsOfUser, { event_id, user_id: user })
        if (team !== undefined)
          return choose(contestSql.listEventSubmissionsOfTeam, { event_id, team_id: team })
        return choose(contestSql.listEventSubmissions, { event_id })
      },
    }),
  ]
}

const listRefusals: Record<Exclude<contestSql.SubmissionAccess, 'allowed'>, Refusal> = {
  no_teams: ['VALIDATION', 'team must not be given: the event has no teams'],
  no_team: ['NOT_FOUND', 'There is no such team in the event'],
  not_a_member: ['FORBIDDEN', 'Only its members, judges and admins may list a team’s submissions'],
  not_the_user: ['FORBIDDEN', 'Only the user and admins may list a user’s submissions'],
  not_the_owner: ['FORBIDDEN', 'Only the event’s owner, judges and admins may list all of its submissions'],
}
