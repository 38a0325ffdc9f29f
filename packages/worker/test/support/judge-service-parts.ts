import type { ServerResponse } from 'node:http'
import { findOptions, findTestCases, refuse, type State, send, sendTagged } from './judge-service.ts'

/** Responds with the sizes of a problem's test cases. */
export function serveManifest(
  res: ServerResponse,
  state: State,
  problemId: number,
  currentTag: string | undefined,
) {
  const found = findTestCases(state, problemId)
  if (!found) return refuse(res, 404)
  const test_cases = found.map(({ id, hidden, version = 1, input, expected_output }) => {
    return { id, hidden, version, bytes: Buffer.byteLength(input) + Buffer.byteLength(expected_output) }
  })
  return sendTagged(res, state, problemId, currentTag, {
    problem_id: problemId,
    ...findOptions(state, problemId),
    test_cases,
  })
}

/** Responds with the texts of a test case. */
export function serveTestCase(res: ServerResponse, state: State, problemId: number, caseId: string) {
  const found = findTestCases(state, problemId)?.find(({ id }) => id === caseId)
  return found ? send(res, 200, { version: 1, ...found }) : refuse(res, 404)
}
