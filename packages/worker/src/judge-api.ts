import type { HttpSession, SessionAnswer } from './http-session.ts'
import type { TestCase } from './judge.ts'
import type { ProgramLimits } from './program.ts'
import { readRecord, readRecords } from './read-record.ts'
import { ServiceError } from './service-error.ts'
import type { RunVerdict, Verdict } from './verdict.ts'

/** What the worker needs to know of a submission (D26). */
export interface Submission {
  readonly status: string
  readonly problemId: number
  readonly sourceCode: string
  readonly languageName: string
  readonly limits: ProgramLimits
}

/** What the worker needs to know of a custom-input run (D27). */
export interface Run {
  readonly status: string
  readonly languageId: string
  readonly sourceCode: string
  readonly stdin: string
}

/** `refused`: the verdict does not fit what is there by now. `gone`: nothing is there any more. */
export type WriteOutcome = 'stored' | 'refused' | 'too large' | 'gone'

/** The service as a judge sees it. A reader answers undefined for what is not there; all throw `ServiceError`. */
export interface JudgeApi {
  readSubmission(id: string): Promise<Submission | undefined>
  readTestCases(problemId: number): Promise<readonly TestCase[] | undefined>
  readRun(id: string): Promise<Run | undefined>
  readLanguageName(languageId: string): Promise<string | undefined>
  writeVerdict(submissionId: string, verdict: Verdict): Promise<WriteOutcome>
  writeRunVerdict(runId: string, verdict: RunVerdict): Promise<WriteOutcome>
}

const RECORD_TIMEOUT_MS = 30_000
// Tests and verdicts can have tens of megabytes.
const BULK_TIMEOUT_MS = 120_000

/** Reads and writes the service's judge routes through a session. */
export function createJudgeApi(session: HttpSession): JudgeApi {
  const read = async <T>(
    path: string,
    timeoutMs: number,
    parse: (body: unknown) => T,
  ): Promise<T | undefined> => {
    const answer = await session.send({ method: 'GET', path, timeoutMs })
    // An id that the service cannot even read (400) is of nothing that is there.
    if (answer.status === 404 || answer.status === 400) return undefined
    if (answer.status !== 200) throw unexpected(answer, `GET ${path}`)
    return parse(answer.body)
  }
  const write = async (path: string, body: unknown): Promise<WriteOutcome> => {
    const answer = await session.send({ method: 'PATCH', path, body, timeoutMs: BULK_TIMEOUT_MS })
    if (answer.status === 204 || answer.status === 200) return 'stored'
    if (answer.status === 400) return 'refused'
    if (answer.status === 413) return 'too large'
    if (answer.status === 404) return 'gone'
    throw unexpected(answer, `PATCH ${path}`)
  }
  return {
    readSubmission: (id) => read(`/v1/submissions/${id}`, RECORD_TIMEOUT_MS, parseSubmission),
    readTestCases: (id) => read(`/v1/problem_description/${id}/tests`, BULK_TIMEOUT_MS, parseTestCases),
    readRun: (id) => read(`/v1/input_submissions/${id}`, RECORD_TIMEOUT_MS, parseRun),
    readLanguageName: async (id) =>
      read('/v1/languages', RECORD_TIMEOUT_MS, (body) => findLanguageName(body, id)),
    writeVerdict: (id, verdict) => write(`/v1/submissions/${id}`, verdict),
    writeRunVerdict: (id, verdict) => write(`/v1/input_submissions/${id}`, verdict),
  }
}

function parseSubmission(body: unknown): Submission {
  const record = readRecord(body, 'submission')
  const problem = record.record('problem')
  return {
    status: record.text('status'),
    problemId: record.integer('problem_id'),
    sourceCode: record.text('source_code'),
    languageName: record.record('language').text('name'),
    limits: {
      wallSeconds: problem.positive('accept_timeout'),
      cpuSeconds: problem.positive('execution_timeout'),
      memoryMib: problem.positive('memory_limit'),
    },
  }
}

function parseTestCases(body: unknown): TestCase[] {
  return readRecord(body, 'tests')
    .records('test_cases')
    .map((testCase) => ({
      id: testCase.text('id'),
      input: testCase.text('input'),
      expectedOutput: testCase.text('expected_output'),
      hidden: testCase.flag('hidden'),
    }))
}

function parseRun(body: unknown): Run {
  const record = readRecord(body, 'input_submission')
  return {
    status: record.text('status'),
    languageId: record.text('language_id'),
    sourceCode: record.text('source_code'),
    stdin: record.text('stdin'),
  }
}

function findLanguageName(body: unknown, id: string): string | undefined {
  const language = readRecords(body, 'languages').find((candidate) => candidate.text('id') === id)
  return language?.text('name')
}

function unexpected(answer: SessionAnswer, what: string): ServiceError {
  return new ServiceError(`the service answered ${answer.status} to ${what}`)
}
