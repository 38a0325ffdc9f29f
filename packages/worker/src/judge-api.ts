import type { Schemas } from '@judge-data-layer/client'
import { NoAnswerError } from '@judge-data-layer/client/errors'
import { describeRefusal, type HttpSession, type Send } from './http-session.ts'
import type { TestCase } from './judge.ts'
import { makeProgramLimits, type ProgramLimits } from './program.ts'
import { ServiceError } from './service-error.ts'
import type { RunVerdict, Verdict } from './verdict.ts'

/** What the worker needs to know of a submission (D26). */
export interface Submission {
  readonly status: string
  /** The number of its newest queueing. */
  readonly attempt: number | undefined
  readonly problemId: number
  readonly userId: string
  readonly sourceCode: string
  readonly languageName: string
  readonly limits: ProgramLimits
}

/** What the worker needs to know of a custom-input run (D27). */
export interface Run {
  readonly status: string
  readonly attempt: number | undefined
  readonly languageId: string
  readonly sourceCode: string
  readonly stdin: string
}

/** A problem's tests as the service sent them. */
export interface ServedTests {
  /** The entity tag; older services send none. */
  readonly tag: string | undefined
  readonly testCases: readonly TestCase[]
}

/** What a verdict is on: it carries the attempt of the record that was judged, so that it does not count after a later one. */
export interface Judged {
  readonly id: string
  readonly attempt: number | undefined
}

/** `stored` is what came too late, too. `refused`: the verdict does not fit what is there by now. `gone`: nothing is there any more. */
export type WriteOutcome = 'stored' | 'refused' | 'too large' | 'gone'

/** The service as a judge sees it. A reader answers undefined for what is not there; all throw `ServiceError`. */
export interface JudgeApi {
  readSubmission(id: string): Promise<Submission | undefined>
  /** Answers `unchanged` if the tests are still those of `knownTag`. */
  readTests(problemId: number, knownTag?: string): Promise<ServedTests | 'unchanged' | undefined>
  readRun(id: string): Promise<Run | undefined>
  readLanguageName(languageId: string): Promise<string | undefined>
  writeVerdict(submission: Judged, verdict: Verdict): Promise<WriteOutcome>
  writeRunVerdict(run: Judged, verdict: RunVerdict): Promise<WriteOutcome>
}

const RECORD_TIMEOUT_MS = 30_000
// Tests and verdicts can have tens of megabytes.
const BULK_TIMEOUT_MS = 120_000

/**
 * Reads and writes the service's judge routes through a session. Their shapes are not checked again: the client lets only the service's
 * own answers pass, and the service's tests hold every one of those against the document that the client's types are made from.
 */
export function createJudgeApi(session: HttpSession): JudgeApi {
  const read = async <Data, Found>(
    timeoutMs: number,
    send: Send<Data>,
    pick: (data: Data, response: Response) => Found,
  ): Promise<Found | undefined> => {
    const { data, error, response } = await session.call(timeoutMs, send)
    if (!error) return pick(data, response)
    // An id that the service cannot even read (400) is of nothing that is there.
    if (response.status === 404 || response.status === 400) return undefined
    throw describeRefusal(response, error)
  }
  const write = async <Data>(send: Send<Data>): Promise<WriteOutcome> => {
    try {
      const { error, response } = await session.call(BULK_TIMEOUT_MS, send)
      if (!error) return 'stored'
      if (response.status === 400) return 'refused'
      if (response.status === 413) return 'too large'
      if (response.status === 404) return 'gone'
      throw describeRefusal(response, error)
    } catch (err) {
      if (isTooLargeForProxy(err)) return 'too large'
      throw err
    }
  }
  return {
    readSubmission: (submission_id) =>
      read(
        RECORD_TIMEOUT_MS,
        (client, signal) =>
          client.GET('/v1/submissions/{submission_id}', { params: { path: { submission_id } }, signal }),
        pickSubmission,
      ),
    readTests: (id, knownTag) =>
      read(
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
        RECORD_TIMEOUT_MS,
        (client, signal) => client.GET('/v1/input_submissions/{id}', { params: { path: { id } }, signal }),
        pickRun,
      ),
    readLanguageName: (languageId) =>
      read(
        RECORD_TIMEOUT_MS,
        (client, signal) => client.GET('/v1/languages', { signal }),
        (languages) => languages.find(({ id }) => id === languageId)?.name,
      ),
    writeVerdict: ({ id, attempt }, verdict) =>
      write((client, signal) =>
        client.PATCH('/v1/submissions/{submission_id}', {
          params: { path: { submission_id: id } },
          body: { ...verdict, ...(attempt !== undefined && { attempt }) },
          signal,
        }),
      ),
    writeRunVerdict: ({ id, attempt }, verdict) =>
      write((client, signal) =>
        client.PATCH('/v1/input_submissions/{id}', {
          params: { path: { id } },
          body: { ...verdict, ...(attempt !== undefined && { attempt }) },
          signal,
        }),
      ),
  }
}

function pickSubmission(submission: Schemas['Submission']): Submission {
  const { problem } = submission
  return {
    status: submission.status,
    attempt: submission.attempt,
    problemId: submission.problem_id,
    userId: submission.user_id,
    sourceCode: submission.source_code,
    languageName: submission.language.name,
    limits: makeProgramLimits(problem),
  }
}

/** A 304 is no error to the client, but has no tests. */
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
  // A judge is shown all of a run; what is shown less is read with another's token.
  if (!('source_code' in run)) throw new ServiceError('the service does not show the run to the judge')
  const { status, attempt, language_id, source_code, stdin } = run
  return { status, attempt, languageId: language_id, sourceCode: source_code, stdin }
}

/** Proxies have limits of their own, and a page of theirs to say so. */
const isTooLargeForProxy = (err: unknown) =>
  err instanceof ServiceError && err.cause instanceof NoAnswerError && err.cause.status === 413
