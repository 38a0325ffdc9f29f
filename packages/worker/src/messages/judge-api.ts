import type { Schemas } from '@judge-data-layer/client'
import { NoResponseError } from '@judge-data-layer/client/errors'
import {
  BULK_TIMEOUT_MS,
  describeErrorResponse,
  type HttpSession,
  RECORD_TIMEOUT_MS,
  readCode,
  readFrom,
  type Send,
} from '../service/http-session.ts'
import { ServiceError } from '../service/service-error.ts'
import { createTestsApi } from '../tests/tests-api.ts'
import type { RunVerdict, Verdict } from '../verdicts/verdict.ts'

/** Short, so that a stop does not wait for long. */
const REGISTER_TIMEOUT_MS = 3000

/** The record of a submission (D26). */
export type Submission = Schemas['Submission']

/** A judged record. The service drops a verdict if it has the verdict of a later judging. */
export interface Judged {
  readonly id: string
  readonly judging?: number | undefined
}

/** `stored` includes late verdicts; `refused`: the tests have changed; `gone`: no such record. */
type WriteOutcome = 'stored' | 'refused' | 'too large' | 'gone'

export type JudgeApi = ReturnType<typeof createJudgeApi>

/**
 * Makes the API. It does not validate responses: the client accepts only the service's. Verdicts
 * carry the worker's name. Readers return undefined for a missing record. All methods throw
 * `ServiceError`.
 */
export function createJudgeApi(session: HttpSession, workerName?: string) {
  const worker = workerName === undefined ? {} : { worker: workerName }
  return {
    ...createTestsApi(session),
    readSubmission: (submission_id: string) =>
      readFrom(session, RECORD_TIMEOUT_MS, (client, signal) =>
        client.GET('/v1/submissions/{submission_id}', { params: { path: { submission_id } }, signal }),
      ),
    /** A custom-input run (D27). */
    async readRun(id: string): Promise<Schemas['RunForJudges'] | undefined> {
      const run = await readFrom(session, RECORD_TIMEOUT_MS, (client, signal) =>
        client.GET('/v1/input_submissions/{id}', { params: { path: { id } }, signal }),
      )
      if (run === undefined || 'source_code' in run) return run
      throw new ServiceError('the service does not show the run to the judge')
    },
    /**
     * Tells the service that the judging is in progress. `ended`: a later judging has begun, this
     * one has a verdict, or there is no such submission.
     */
    async renewJudging(submission_id: string, judging: number): Promise<'renewed' | 'ended'> {
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
    },
    writeVerdict: ({ id, judging }: Judged, verdict: Verdict) =>
      write(session, (client, signal) =>
        client.PATCH('/v1/submissions/{submission_id}', {
          params: { path: { submission_id: id } },
          body: { ...verdict, ...worker, ...nameJudging(judging) },
          signal,
        }),
      ),
    writeRunVerdict: ({ id, judging }: Judged, verdict: RunVerdict) =>
      write(session, (client, signal) =>
        client.PATCH('/v1/input_submissions/{id}', {
          params: { path: { id } },
          body: { ...verdict, ...nameJudging(judging) },
          signal,
        }),
      ),
    async register(judge_name: string, body: Schemas['JudgeBody']): Promise<void> {
      const { error, response } = await session.call(REGISTER_TIMEOUT_MS, (client, signal) =>
        client.PUT('/v1/judges/{judge_name}', { params: { path: { judge_name } }, body, signal }),
      )
      if (error) throw describeErrorResponse(response, error)
    },
  }
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

function nameJudging(judging: number | undefined) {
  return judging === undefined ? {} : { judging }
}

/** A proxy may have a smaller limit than the service. */
const isTooLargeForProxy = (err: unknown) =>
  err instanceof ServiceError && err.cause instanceof NoResponseError && err.cause.status === 413
