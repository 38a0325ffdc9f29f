import type { Schemas } from '@judge-data-layer/client'
import { NoResponseError } from '@judge-data-layer/client/errors'
import { makeProgramLimits, type ProgramLimits } from '../programs/program-limits.ts'
import { BULK_TIMEOUT_MS, RECORD_TIMEOUT_MS, readFrom } from '../service/call-service.ts'
import { describeErrorResponse, type HttpSession, readCode, type Send } from '../service/http-session.ts'
import { ServiceError } from '../service/service-error.ts'
import { createTestsApi, type TestsApi } from '../tests/tests-api.ts'
import type { RunVerdict, Verdict } from '../verdicts/verdict.ts'

/** Short, so that a stop does not wait for long. */
const REGISTER_TIMEOUT_MS = 3000

type ServedSubmission = Schemas['Submission']

/** The part of a submission that the worker uses (D26). */
export interface Submission {
  readonly status: string
  readonly judging: number | undefined
  /** How long the service waits for a verdict or a heartbeat; undefined: no limit is shown. */
  readonly requeueAfterSeconds: number | undefined
  readonly problemId: number
  readonly userId: string
  readonly sourceCode: string
  readonly languageName: string
  readonly limits: ProgramLimits
  /** Replaces the `run` of the problem. Only verifications have the next three fields. */
  readonly run: ServedSubmission['run']
  /** Judged instead of the source code. */
  readonly program: ServedSubmission['program']
  /** Judged instead of a program. */
  readonly validator: ServedSubmission['validator']
}

/** The part of a custom-input run that the worker uses (D27). */
interface Run {
  readonly status: string
  readonly judging: number | undefined
  readonly languageName: string
  readonly sourceCode: string
  readonly stdin: string
}

/** A judged record. The service drops a verdict if it has the verdict of a later judging. */
export interface Judged {
  readonly id: string
  readonly judging: number | undefined
}

/** `stored` includes late verdicts; `refused`: the tests have changed; `gone`: no such record. */
type WriteOutcome = 'stored' | 'refused' | 'too large' | 'gone'

/** `ended`: a later judging has begun, this one has a verdict, or there is no such submission. */
type RenewOutcome = 'renewed' | 'ended'

/** Readers return undefined for a missing record. All methods throw `ServiceError`. */
export interface JudgeApi extends TestsApi {
  readSubmission(id: string): Promise<Submission | undefined>
  readRun(id: string): Promise<Run | undefined>
  /** Tells the service that the judging is in progress. */
  renewJudging(id: string, judging: number): Promise<RenewOutcome>
  writeVerdict(submission: Judged, verdict: Verdict): Promise<WriteOutcome>
  writeRunVerdict(run: Judged, verdict: RunVerdict): Promise<WriteOutcome>
  /** Tells the service of this worker. */
  register(worker: string, body: Schemas['JudgeBody']): Promise<void>
}

/**
 * Makes the API. It does not validate responses: the client accepts only the service's. Verdicts
 * carry the worker's name.
 */
export function createJudgeApi(session: HttpSession, workerName?: string): JudgeApi {
  return {
    ...createTestsApi(session),
    readSubmission: (submission_id) =>
      readFrom(
        session,
        RECORD_TIMEOUT_MS,
        (client, signal) =>
          client.GET('/v1/submissions/{submission_id}', { params: { path: { submission_id } }, signal }),
        pickSubmission,
      ),
    readRun: (id) =>
      readFrom(
        session,
        RECORD_TIMEOUT_MS,
        (client, signal) => client.GET('/v1/input_submissions/{id}', { params: { path: { id } }, signal }),
        pickRun,
      ),
    renewJudging: (id, judging) => renew(session, id, judging),
    writeVerdict: ({ id, judging }, verdict) =>
      write(session, (client, signal) =>
        client.PATCH('/v1/submissions/{submission_id}', {
          params: { path: { submission_id: id } },
          body: { ...verdict, ...nameWorker(workerName), ...nameJudging(judging) },
          signal,
        }),
      ),
    writeRunVerdict: ({ id, judging }, verdict) =>
      write(session, (client, signal) =>
        client.PATCH('/v1/input_submissions/{id}', {
          params: { path: { id } },
          body: { ...verdict, ...nameJudging(judging) },
          signal,
        }),
      ),
    register: (worker, body) => register(session, worker, body),
  }
}

async function register(session: HttpSession, worker: string, body: Schemas['JudgeBody']): Promise<void> {
  const { error, response } = await session.call(REGISTER_TIMEOUT_MS, (client, signal) =>
    client.PUT('/v1/judges/{judge_name}', { params: { path: { judge_name: worker } }, body, signal }),
  )
  if (error) throw describeErrorResponse(response, error)
}

async function renew(session: HttpSession, submission_id: string, judging: number): Promise<RenewOutcome> {
  const { error, response } = await session.call(RECORD_TIMEOUT_MS, (client, signal) =>
    client.POST('/v1/submissions/{submission_id}/heartbeat', {
      params: { path: { submission_id } },
      body: { judging },
      signal,
    }),
  )
  if (!error) return 'renewed'
  if (response.status === 404 || readCode(error) === 'JUDGING_ENDED') return 'ended'
  throw describeErrorResponse(response, error)
}

async function write<Data>(session: HttpSession, send: Send<Data>): Promise<WriteOutcome> {
  try {
    const { error, response } = await session.call(BULK_TIMEOUT_MS, send)
    if (!error) return 'stored'
    if (response.status === 400) return 'refused'
    if (response.status === 413) return 'too large'
    if (response.status === 404) return 'gone'
    throw describeErrorResponse(response, error)
  } catch (err) {
    if (isTooLargeForProxy(err)) return 'too large'
    throw err
  }
}

function pickSubmission(submission: ServedSubmission): Submission {
  const { problem, run, program, validator } = submission
  return {
    status: submission.status,
    judging: submission.judging,
    requeueAfterSeconds: submission.requeue_after,
    problemId: submission.problem_id,
    userId: submission.user_id,
    sourceCode: submission.source_code,
    languageName: submission.language.name,
    limits: makeProgramLimits(problem),
    ...{ run, program, validator },
  }
}

function pickRun(run: Schemas['Run'] | Schemas['RunForJudges']): Run {
  if (!('source_code' in run)) throw new ServiceError('the service does not show the run to the judge')
  const { status, judging, language, source_code, stdin } = run
  return { status, judging, languageName: language.name, sourceCode: source_code, stdin }
}

function nameWorker(worker: string | undefined) {
  return worker === undefined ? {} : { worker }
}

function nameJudging(judging: number | undefined) {
  return judging === undefined ? {} : { judging }
}

/** A proxy may have a smaller limit than the service. */
const isTooLargeForProxy = (err: unknown) =>
  err instanceof ServiceError && err.cause instanceof NoResponseError && err.cause.status === 413
