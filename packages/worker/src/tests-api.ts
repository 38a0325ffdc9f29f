import type { Schemas } from '@judge-data-layer/client'
import { NoResponseError } from '@judge-data-layer/client/errors'
import { BULK_TIMEOUT_MS, RECORD_TIMEOUT_MS, readFrom } from './call-service.ts'
import type { HttpSession, Send } from './http-session.ts'
import { JsonFieldsError, readJsonFields } from './json-fields.ts'
import { type JudgingOptions, readOptions } from './judging-options.ts'
import { describeError } from './logger.ts'
import { ServiceError } from './service-error.ts'
import type { CaseSinks } from './test-set.ts'

export interface ServedCase {
  readonly id: string
  readonly input: string
  readonly expectedOutput: string
  readonly hidden: boolean
}

export interface ServedTests {
  /** Older services send no entity tag. */
  readonly tag: string | undefined
  readonly options: JudgingOptions
  readonly testCases: readonly ServedCase[]
}

export interface ListedCase {
  readonly id: string
  readonly hidden: boolean
  /** Changes with the texts. */
  readonly version: number
  /** The size of both texts. */
  readonly bytes: number
}

/** The test cases of a problem without their texts. */
export interface TestsManifest {
  readonly tag: string | undefined
  readonly options: JudgingOptions
  readonly testCases: readonly ListedCase[]
}

/** Readers return undefined for a missing problem, test case or route. All throw `ServiceError`. */
export interface TestsApi {
  /** Returns `unchanged` if `knownTag` is still the entity tag. */
  readManifest(problemId: number, knownTag?: string): Promise<TestsManifest | 'unchanged' | undefined>
  /** Hands over the texts in pieces. Returns the version. */
  readTestCase(problemId: number, caseId: string, texts: CaseSinks): Promise<number | undefined>
  /** All test cases at once. Returns `unchanged` if `knownTag` is still the entity tag. */
  readTests(problemId: number, knownTag?: string): Promise<ServedTests | 'unchanged' | undefined>
}

/** Makes the part of the API that reads tests. */
export function createTestsApi(session: HttpSession): TestsApi {
  return {
    readManifest: (id, knownTag) =>
      readFrom(
        session,
        RECORD_TIMEOUT_MS,
        (client, signal) =>
          client.GET('/v1/problem_description/{id}/test_cases', {
            params: { path: { id }, ...nameKnown(knownTag) },
            signal,
          }),
        (manifest, { status, headers }) =>
          status === 304
            ? 'unchanged'
            : { tag: readTag(headers), options: readOptions(manifest), testCases: manifest.test_cases },
      ),
    readTestCase: (id, test_case_id, texts) =>
      readFrom(session, BULK_TIMEOUT_MS, sendForCase(id, test_case_id, texts), (version) => version),
    readTests: (id, knownTag) =>
      readFrom(
        session,
        BULK_TIMEOUT_MS,
        (client, signal) =>
          client.GET('/v1/problem_description/{id}/tests', {
            params: { path: { id }, ...nameKnown(knownTag) },
            signal,
          }),
        pickTests,
      ),
  }
}

function nameKnown(tag: string | undefined) {
  return tag === undefined ? {} : { header: { 'If-None-Match': tag } }
}

const readTag = (headers: Headers) => headers.get('etag') ?? undefined

function pickTests(tests: Schemas['ProblemTests'], { status, headers }: Response): ServedTests | 'unchanged' {
  if (status === 304) return 'unchanged'
  const testCases = tests.test_cases.map(({ id, input, expected_output, hidden }) => ({
    id,
    input,
    expectedOutput: expected_output,
    hidden,
  }))
  return { tag: readTag(headers), options: readOptions(tests), testCases }
}

/** Requests a test case and reads its texts within the time limit of the request. */
function sendForCase(id: number, test_case_id: string, texts: CaseSinks): Send<number> {
  return async (client, signal) => {
    const { data, error, response } = await client.GET(
      '/v1/problem_description/{id}/test_cases/{test_case_id}',
      { params: { path: { id, test_case_id } }, parseAs: 'stream', signal },
    )
    if (error) return { error, response }
    return { data: await readVersion(data, texts, signal), response }
  }
}

async function readVersion(
  body: ReadableStream<Uint8Array> | null,
  texts: CaseSinks,
  signal: AbortSignal,
): Promise<number> {
  const sinks = new Map([
    ['input', texts.input],
    ['expected_output', texts.answer],
  ])
  try {
    const fields = await readJsonFields(body === null ? [] : readBody(body, signal), sinks)
    const version = fields.get('version')
    if (typeof version === 'number') return version
    throw new JsonFieldsError('version is missing')
  } catch (err) {
    if (err instanceof JsonFieldsError) throw new ServiceError(err.message, err)
    throw err
  }
}

/** Errors of the body become the client's; those of its reader stay as they are. */
async function* readBody(body: ReadableStream<Uint8Array>, signal: AbortSignal) {
  try {
    yield* body
  } catch (err) {
    signal.throwIfAborted()
    throw new NoResponseError(`a test case was cut: ${describeError(err)}`, { cause: err })
  }
}
