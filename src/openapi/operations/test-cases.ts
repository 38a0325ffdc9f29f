import type { testCaseRoutes } from '../../features/problems/problems/test-case-routes.ts'
import { hiddenCase, sampleCase, sumOfTwo } from '../examples/example-world.ts'
import type { Operations } from '../operation-docs.ts'

const { accept_timeout, execution_timeout, memory_limit } = sumOfTwo
const summarise = ({ id, hidden, input, expected_output }: typeof sampleCase) => ({
  ...{ id, hidden, version: 1 },
  bytes: Buffer.byteLength(input + expected_output),
})

const BYTES = `The \`ETag\` is \`W/"VERSION"\`, with the \`version\` of the test case in the list. If it is
another one, the test case has changed since: read the list again. Judges get the test cases of a
deleted problem while submissions to it are pending.`

export const testCaseOperations: Operations<ReturnType<typeof testCaseRoutes>[number]> = {
  readTestManifest: {
    summary: 'Read a problem’s limits and the list of its test cases, without their texts',
    description: `For judges and admins: as \`GET /v1/problem_description/{id}/tests\`, but each test
case has its \`version\` and the \`bytes\` of its texts. A worker that keeps test cases reads those
whose \`version\` it does not have, and runs them in the order of the list. The \`ETag\` is of the
list: ask for each submission.`,
    example: {
      params: { id: sumOfTwo.id },
      response: {
        ...{ problem_id: sumOfTwo.id, accept_timeout, execution_timeout, memory_limit },
        test_cases: [summarise(sampleCase), summarise(hiddenCase)],
      },
    },
  },
  readTestCase: {
    summary: 'Read one test case of a problem',
    description: `For judges and admins. If \`version\` is not the one in the list, the test case has
changed since: read the list again. Judges get the test cases of a deleted problem while submissions
to it are pending.`,
    example: {
      params: { id: sumOfTwo.id, test_case_id: hiddenCase.id },
      response: { ...hiddenCase, version: 1 },
    },
  },
  readTestInput: {
    summary: 'Read the input of a test case as bytes',
    description: `For judges and admins. ${BYTES}`,
    example: { params: { id: sumOfTwo.id, test_case_id: hiddenCase.id } },
  },
  readTestAnswer: {
    summary: 'Read the expected output of a test case as bytes',
    description: `For judges and admins. ${BYTES}`,
    example: { params: { id: sumOfTwo.id, test_case_id: hiddenCase.id } },
  },
  appendTestCases: {
    summary: 'Append test cases to a problem',
    description: `For admins: the way to more tests than one body holds. The new test cases come
last, in the order of the body. Their texts may be empty. Send one request after the other, and read
\`GET /v1/problem_description/{id}/test_cases\` before you repeat a request without a response: it
may have been stored. More than 10,000 test cases, 256 MiB in all, 64 MiB in the public ones or
64 MiB in one get 400.`,
    example: {
      params: { problem_id: sumOfTwo.id },
      body: { test_cases: [{ input: '0 0\n', expected_output: '0\n', hidden: true }] },
      response: { ids: ['019c0f3e-9d80-7a52-b1c3-5f0a7f6d2e11'] },
    },
  },
  updateTestCase: {
    summary: 'Change the texts of a test case, or whether it is hidden',
    description: `For admins. Absent fields stay as they are, and so do the id and the place. The
texts may be empty. Existing verdicts stay as they are.`,
    example: {
      params: { problem_id: sumOfTwo.id, test_case_id: hiddenCase.id },
      body: { input: '-20 22\n', expected_output: '2\n' },
    },
  },
  deleteTestCase: {
    summary: 'Delete a test case',
    description: `For admins. Existing verdicts stay as they are. The only test case of a problem,
and a test case of a problem with \`test_groups\` or \`case_flags\`, get 400.`,
    example: { params: { problem_id: sumOfTwo.id, test_case_id: hiddenCase.id } },
  },
}
