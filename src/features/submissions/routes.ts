import Type, { type Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import { newIds } from '../../db/ids.ts'
import { AppError } from '../../http/routing/errors.ts'
import { createOnce } from '../../http/routing/idempotency.ts'
import { answerList, created, found, noContent, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, PageQuery, UserPath } from '../../http/routing/schema.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { submissionDocs } from '../../openapi/operations/submissions.ts'
import { rejudgeRoutes } from '../rejudging/routes.ts'
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
  type Created,
  type CreatedInContest,
  createContestSubmission,
  createSubmission,
  listUserProblemSubmissions,
  listUserSubmissions,
  readStatus,
  readSubmission,
  storeVerdict,
} from './sql.ts'
import { listVerdicts } from './verdict-sql.ts'

interface SubmissionDependencies {
  readonly config: Pick<Config, 'sizes' | 'extraStatuses'>
  readonly metrics: Metrics | undefined
  /** Tells the relay that a message waits, once its row is committed. */
  readonly wakeRelay: () => void
}

/** The specification's Submissions table (D23 to D26). */
export function submissionRoutes({ config, metrics, wakeRelay }: SubmissionDependencies): Route[] {
  return [
    submit(config.sizes, wakeRelay),
    ...readingRoutes(),
    verdictsRoute(),
    judge(config.extraStatuses, metrics),
    ...listingRoutes(),
    ...rejudgeRoutes(wakeRelay),
  ]
}

function submit(sizes: Config['sizes'], wakeRelay: () => void): Route {
  return defineRoute({
    method: 'POST',
    url: '/v1/submissions',
    name: 'createSubmission',
    summary: 'Submit a program to a problem; it is queued for a judge',
    docs: submissionDocs.createSubmission,
    policy: 'user',
    limit: { rate: 'submissions', by: 'user' },
    bodyLimit: 'body',
    isRepeatable: true,
    schema: {
      params: NoFields,
      query: NoFields,
      body: submissionCreation(sizes),
      answers: { 201: SubmissionCreatedResponse },
      refusals: ['FORBIDDEN', 'NOT_FOUND', 'EVENT_NOT_ACTIVE'],
    },
    handler: async ({ db, actor, body, repeatable }) => {
      if (actor.role !== 2 && body.user_id.toLowerCase() !== actor.id) {
        throw new AppError('FORBIDDEN', 'user_id must be the caller’s own')
      }
      const values = [uuidv7(), body.user_id, body.problem_id, body.language_id, body.source_code]
      const eventId = body.event_id ?? null
      const answer = await createOnce(db, actor.id, repeatable, async (tx) => {
        const made =
          eventId === null
            ? found(await tx.ask(createSubmission, values), 'user')
            : found(await tx.ask(createContestSubmission, [...values, eventId]), 'user')
        if (made.body === null) throw refusalOf(made)
        return made.body
      })
      wakeRelay()
      return created(answer)
    },
  })
}

function readingRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/submissions/:submission_id',
      name: 'readSubmission',
      summary: 'Read a submission, with its results once it is graded',
      docs: submissionDocs.readSubmission,
      policy: 'owner, judge or admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: SubmissionPath,
        query: NoFields,
        body: undefined,
        answers: { 200: SubmissionResponse },
        refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
      },
      handler: async ({ db, params }) => answerReader(await db.ask(readSubmission, [params.submission_id])),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/submissions/:submission_id/status',
      name: 'readSubmissionStatus',
      summary: 'Poll a submission’s status',
      docs: submissionDocs.readSubmissionStatus,
      policy: 'owner, judge or admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: SubmissionPath,
        query: NoFields,
        body: undefined,
        answers: { 200: SubmissionStatusResponse },
        refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
      },
      handler: async ({ db, params }) => answerReader(await db.ask(readStatus, [params.submission_id])),
    }),
  ]
}

function verdictsRoute(): Route {
  return defineRoute({
    method: 'GET',
    url: '/v1/submissions/:submission_id/verdicts',
    name: 'listVerdicts',
    summary: 'List the verdicts that a submission has had, newest first',
    docs: submissionDocs.listVerdicts,
    policy: 'owner, judge or admin',
    limit: 'none',
    bodyLimit: 'body',
    schema: {
      params: SubmissionPath,
      query: PageQuery,
      body: undefined,
      answers: { 200: Type.Array(VerdictResponse) },
      refusals: ['UNAUTHORIZED', 'NOT_FOUND'],
    },
    handler: async (ctx) => {
      const id = ctx.params.submission_id
      answerReader(await ctx.db.ask(readStatus, [id]))
      return answerList(ctx, listVerdicts, [id], 'submission')
    },
  })
}

function judge(extraStatuses: readonly string[], metrics: Metrics | undefined): Route {
  return defineRoute({
    method: 'PATCH',
    url: '/v1/submissions/:submission_id',
    name: 'storeVerdict',
    summary: 'Store a verdict',
    docs: submissionDocs.storeVerdict,
    policy: 'judge or admin',
    limit: 'none',
    bodyLimit: 'verdict body',
    schema: {
      params: SubmissionPath,
      query: NoFields,
      body: verdictBody(extraStatuses),
      answers: { 204: undefined },
      refusals: ['NOT_FOUND'],
    },
    handler: async ({ db, params, body }) => {
      if (body.status === 'ACCEPTED' && body.failed_test_case_id) {
        throw new AppError('VALIDATION', 'failed_test_case_id must be null or absent with ACCEPTED')
      }
      const rows = await db.ask(storeVerdict, verdictValues(params.submission_id, body))
      const { unknown_case } = found(rows, 'submission')
      if (unknown_case)
        throw new AppError('VALIDATION', `${unknown_case} is not a test case of the submission’s problem`)
      metrics?.countVerdict('submission', body.status)
      return noContent
    },
  })
}

function listingRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/user_submissions/:user_id',
      name: 'listUserSubmissions',
      summary: 'List a user’s submissions, newest first',
      docs: submissionDocs.listUserSubmissions,
      policy: 'self or admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: UserPath,
        query: PageQuery,
        body: undefined,
        answers: { 200: Type.Array(SubmissionListedResponse) },
        refusals: ['NOT_FOUND'],
      },
      handler: (ctx) => answerList(ctx, listUserSubmissions, [ctx.params.user_id], 'user'),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/user_problem_submissions/:user_id/:problem_id',
      name: 'listUserProblemSubmissions',
      summary: 'List a user’s attempts on a problem, newest first',
      docs: submissionDocs.listUserProblemSubmissions,
      policy: 'self or admin',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: UserProblemPath,
        query: PageQuery,
        body: undefined,
        answers: { 200: Type.Array(SubmissionListedResponse) },
        refusals: ['NOT_FOUND'],
      },
      handler: (ctx) =>
        answerList(
          ctx,
          listUserProblemSubmissions,
          [ctx.params.user_id, ctx.params.problem_id],
          'user or problem',
        ),
    }),
  ]
}

function answerReader(rows: { may_read: boolean; body: string | null }[]) {
  const { body } = found(rows, 'submission')
  if (body === null)
    throw new AppError('UNAUTHORIZED', 'Only its owner, a judge or an admin may read a submission')
  return ok(body)
}

/** Why nothing was made (D24): what is not there goes first. */
function refusalOf(made: Created | CreatedInContest): AppError {
  const isContest = 'has_event' in made
  if (!made.has_user) return new AppError('NOT_FOUND', 'There is no such user')
  if (isContest && !made.has_event) return new AppError('NOT_FOUND', 'There is no such event')
  if (made.needs_event)
    return new AppError('VALIDATION', 'event_id is required: the problem is part of a running event')
  if (isContest ? !made.sees_problem : !made.has_problem)
    return new AppError('NOT_FOUND', 'There is no such problem')
  if (!made.has_language) return new AppError('NOT_FOUND', 'There is no such language')
  if (!made.has_problem) return new AppError('VALIDATION', 'problem_id must be a problem of the event')
  return new AppError('EVENT_NOT_ACTIVE', 'The event is not running')
}

type Verdict = Static<ReturnType<typeof verdictBody>>

function verdictValues(submissionId: string, verdict: Verdict) {
  const failedCase = verdict.failed_test_case_id ?? null
  const sent = verdict.test_case_results ?? []
  const ids = newIds(sent.length)
  const results = sent.map((result, i) => ({
    id: ids[i],
    submission_id: submissionId.toLowerCase(),
    test_case_id: result.test_case_id.toLowerCase(),
    stdout: result.stdout ?? '',
    stderr: result.stderr ?? '',
    passed: result.passed,
  }))
  const named = [
    ...results.map((result) => result.test_case_id),
    ...(failedCase === null ? [] : [failedCase]),
  ]
  return [
    submissionId,
    verdict.status,
    verdict.stdout ?? '',
    verdict.stderr ?? '',
    verdict.time_elapsed ?? 0,
    failedCase,
    JSON.stringify(results),
    named,
    verdict.attempt ?? null,
  ]
}
