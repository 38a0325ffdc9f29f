import type { Schemas } from '@judge-data-layer/client'
import { NoResponseError } from '@judge-data-layer/client/errors'
import { describeErrorResponse, type HttpSession, type Send } from './http-session.ts'
import type { TestCase } from './judge.ts'
import { makeProgramLimits, type ProgramLimits } from './program.ts'
import { ServiceError } from './service-error.ts'
import type { RunVerdict, Verdict } from './verdict.ts'

/** The part of a submission that the worker uses (D26). */
export interface Submission {
  readonly status: string
  readonly judging: number | undefined
  readonly problemId: number
  readonly userId: string
  readonly sourceCode: string
  readonly languageName: string
  readonly limits: ProgramLimits
}

/** The part of a custom-input run that the worker uses (D27). */
export interface Run {
  readonly status: string
  readonly judging: number | undefined
  readonly languageId: string
  /** Older services show only the id. */
  readonly languageName: string | undefined
  readonly sourceCode: string
  readonly stdin: string
}

export interface ServedTests {
  /** Older services send no entity tag. */
  readonly tag: string | undefined
  readonly testCases: readonly TestCase[]
}

/** A judged record. The service drops a verdict if it has the verdict of a later judging. */
export interface Judged {
  readonly id: string
  readonly judging: number | undefined
}

/** Older services show the number of a judging as `attempt` only. */
interface NumberedRecord {
  readonly judging?: number
  readonly attempt?: number
}

/** `stored` includes late verdicts; `refused`: the tests have changed; `gone`: no such record. */
export type WriteOutcome = 'stored' | 'refused' | 'too large' | 'gone'

/** Readers return undefined for a missing record. All methods throw `ServiceError`. */
export interface JudgeApi {
  readSubmission(id: string): Promise<Submission | undefined>
  /** Returns `unchanged` if `knownTag` is still the entity tag. */
  readTests(problemId: number, knownTag?: string): Promise<ServedTests | 'unchanged' | undefined>
  readRun(id: string): Promise<Run | undefined>
  /** For runs of older services; undefined for a retired language. */
  readLanguageName(languageId: string): Promise<string | undefined>
  writeVerdict(submission: Judged, verdict: Verdict): Promise<WriteOutcome>
  writeRunVerdict(run: Judged, verdict: RunVerdict): Promise<WriteOutcome>
}

const RECORD_TIMEOUT_MS = 30_000
// Tests and verdicts can have tens of megabytes.
const BULK_TIMEOUT_MS = 120_000

/** Makes the API. It does not validate responses: the client accepts only the service's. */
export function createJudgeApi(session: HttpSession): JudgeApi {
  return {
    readSubmission: (submission_id) =>
      read(
        session,
        RECORD_TIMEOUT_MS,
        (client, signal) =>
          client.GET('/v1/submissions/{submission_id}', { params: { path: { submission_id } }, signal }),
        pickSubmission,
      ),
    readTests: (id, knownTag) =>
      read(
        session,
        BULK_TIMEOUT_MS,
        (client, signal) =>
          client.GET('/v1/problem_description/{id}/tests', {
            params: {
              path: { id },
              ...(knownTag !== undefined && { header: { 'If-None-Match': knownTag } }),
            },
            signal,
          }),
        pickTests,
      ),
    readRun: (id) =>
      read(
        session,
        RECORD_TIMEOUT_MS,
        (client, signal) => client.GET('/v1/input_submissions/{id}', { params: { path: { id } }, signal }),
        pickRun,
      ),
    readLanguageName: (languageId) =>
      read(
        session,
        RECORD_TIMEOUT_MS,
        (client, signal) => client.GET('/v1/languages', { signal }),
        (languages) => languages.find(({ id }) => id === languageId)?.name,
      ),
    writeVerdict: ({ id, judging }, verdict) =>
      write(session, (client, signal) =>
        client.PATCH('/v1/submissions/{submission_id}', {
          params: { path: { submission_id: id } },
          body: { ...verdict, ...nameJudging(judging) },
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
  }
}

async function read<Data, Found>(
  session: HttpSession,
  timeoutMs: number,
  send: Send<Data>,
  pick: (data: Data, response: Response) => Found,
): Promise<Found | undefined> {
  const { data, error, response } = await session.call(timeoutMs, send)
  if (!error) return pick(data, response)
  // An invalid id (400) has no record either.
  if (response.status === 404 || response.status === 400) return undefined
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

function pickSubmission(submission: Schemas['Submission']): Submission {
  const { problem } = submission
  return {
    status: submission.status,
    judging: readJudging(submission),
    problemId: submission.problem_id,
    userId: submission.user_id,
    sourceCode: submission.source_code,
    languageName: submission.language.name,
    limits: makeProgramLimits(problem),
  }
}

function pickTests(tests: Schemas['ProblemTests'], { status, headers }: Response): ServedTests | 'unchanged' {
  if (status === 304) return 'unchanged'
  const testCases = tests.test_cases.map(({ id, input, expected_output, hidden }) => ({
    id,
    input,
    expectedOutput: expected_output,
    hidden,
  }))
  return { tag: headers.get('etag') ?? undefined, testCases }
}

function pickRun(run: Schemas['Run'] | Schemas['RunForJudges']): Run {
  if (!('source_code' in run)) throw new ServiceError('the service does not show the run to the judge')
  const { status, language_id, source_code, stdin } = run
  const language: Partial<typeof run>['language'] = run.language
  return {
    ...{ status, judging: readJudging(run), sourceCode: source_code, stdin },
    ...{ languageId: language_id, languageName: language?.name },
  }
}

function readJudging({ judging, attempt }: NumberedRecord): number | undefined {
  return judging ?? attempt
}

/** Services ignore unknown fields (D2), so that each finds the name that it knows. */
function nameJudging(judging: number | undefined) {
  return judging === undefined ? {} : { judging, attempt: judging }
}

/** A proxy may have a smaller limit than the service. */
const isTooLargeForProxy = (err: unknown) =>
  err instanceof ServiceError && err.cause instanceof NoResponseError && err.cause.status === 413
