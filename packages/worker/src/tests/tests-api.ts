import type { Schemas } from '@judge-data-layer/client'
import { NoResponseError } from '@judge-data-layer/client/errors'
import {
  BULK_TIMEOUT_MS,
  type HttpSession,
  RECORD_TIMEOUT_MS,
  readFrom,
  type Send,
} from '../service/http-session.ts'
import { type JudgingOptions, pickOptions } from '../service/judging-options.ts'
import { ServiceError } from '../service/service-error.ts'
import { describeError } from '../shared/logger.ts'

/** A test case without its texts. Its version changes with them, and `bytes` is their size. */
export type ListedCase = Schemas['TestCaseSummary']

export interface TestsManifest {
  readonly tag: string
  readonly options: JudgingOptions
  readonly testCases: readonly ListedCase[]
}

type TextSink = (piece: Buffer) => Promise<void>

type CaseText = 'input' | 'answer'

/** Where the texts of a test case go. */
export type CaseSinks = Readonly<Record<CaseText, TextSink>>

export type TestsApi = ReturnType<typeof createTestsApi>

/**
 * Makes the part of the API that reads tests. Readers return undefined for a missing problem or
 * test case. All throw `ServiceError`.
 */
export function createTestsApi(session: HttpSession) {
  return {
    /** Returns `unchanged` if `knownTag` is still the entity tag. */
    readManifest: (id: number, knownTag?: string) =>
      readFrom<TestsManifest | 'unchanged'>(session, RECORD_TIMEOUT_MS, async (client, signal) => {
        const { data, error, response } = await client.GET('/v1/problem_description/{id}/test_cases', {
          params: { path: { id }, header: knownTag === undefined ? {} : { 'If-None-Match': knownTag } },
          signal,
        })
        if (error) return { error, response }
        if (response.status === 304) return { data: 'unchanged', response }
        const tag = readTag(response.headers)
        return { data: { tag, options: pickOptions(data), testCases: data.test_cases }, response }
      }),
    /** Hands over a text in pieces. Returns its version. */
    readText: (id: number, caseId: string, which: CaseText, sink: TextSink) =>
      readFrom(session, BULK_TIMEOUT_MS, sendForText(id, caseId, which, sink)),
    readTests: (id: number) =>
      readFrom(session, BULK_TIMEOUT_MS, (client, signal) =>
        client.GET('/v1/problem_description/{id}/tests', { params: { path: { id } }, signal }),
      ),
  }
}

function readTag(headers: Headers): string {
  const tag = headers.get('etag')
  if (tag === null) throw new ServiceError('the response has no ETag')
  return tag
}

/** Requests a text and reads it within the time limit of the request. */
function sendForText(id: number, test_case_id: string, which: CaseText, sink: TextSink): Send<number> {
  return async (client, signal) => {
    const { data, error, response } = await client.GET(
      `/v1/problem_description/{id}/test_cases/{test_case_id}/${which}`,
      { params: { path: { id, test_case_id } }, parseAs: 'stream', signal },
    )
    if (error) return { error, response }
    // A response without content has no stream.
    if (data) for await (const piece of readBody(data, signal)) await sink(piece)
    return { data: readVersion(response.headers), response }
  }
}

const VERSION = /^(?:W\/)?"(\d+)"$/

/** The version of a text, which is its entity tag. */
function readVersion(headers: Headers): number {
  const [, version] = VERSION.exec(readTag(headers)) ?? []
  if (version === undefined) throw new ServiceError('the ETag of the response is not a version')
  return Number(version)
}

/** Errors of the body become the client's; errors of its reader stay as they are. */
async function* readBody(body: ReadableStream<Uint8Array>, signal: AbortSignal) {
  try {
    for await (const { buffer, byteOffset, byteLength } of body)
      yield Buffer.from(buffer, byteOffset, byteLength)
  } catch (err) {
    signal.throwIfAborted()
    throw new NoResponseError(`a test case was cut: ${describeError(err)}`, { cause: err })
  }
}
