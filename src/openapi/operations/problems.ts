import type { Static } from 'typebox'
import type { problemCreation, problemUpdate } from '../../features/problems/problems/schemas.ts'
import {
  ada,
  hiddenCase,
  implementation,
  longestWord,
  mathematics,
  sampleCase,
  summariseProblem,
  sumOfTwo,
} from '../examples/example-world.ts'
import type { SomeOperations } from '../operation-docs.ts'

const fizzBuzz: Static<ReturnType<typeof problemCreation>> = {
  title: 'Fizz Buzz',
  identifier: 'fizz-buzz',
  prompt: 'Count to n; say Fizz for multiples of 3, Buzz for multiples of 5, and both for multiples of both.',
  difficulty: 'EASY',
  public: false,
  accept_timeout: 10,
  execution_timeout: 2,
  memory_limit: 128,
  user_id: ada.id,
  category_ids: [mathematics.id],
  test_cases: [
    { input: '3\n', expected_output: '1\n2\nFizz\n', hidden: false },
    { input: '5\n', expected_output: '1\n2\nFizz\n4\nBuzz\n', hidden: true },
  ],
  validation: {
    type: 'default',
    flags: 'case_sensitive',
    case_flags: [{ cases: [2], flags: 'case_sensitive space_change_sensitive' }],
  },
  test_groups: [
    { name: 'sample', points: 0, aggregation: 'sum', cases: [1] },
    { name: 'secret', points: 100, aggregation: 'min', cases: [2] },
  ],
  run: 'all',
  limits: { output: 1, time_multipliers: { Python: 2 } },
}

/** Keeps the sample, replaces the hidden test and adds a third. */
const newTests: Static<ReturnType<typeof problemUpdate>> = {
  execution_timeout: 3,
  test_cases: [
    { id: sampleCase.id, input: sampleCase.input, expected_output: sampleCase.expected_output },
    { id: hiddenCase.id, input: '-20 22\n', expected_output: '2\n', hidden: true },
    { input: '0 0\n', expected_output: '0\n', hidden: true },
  ],
}

const { accept_timeout, execution_timeout, memory_limit, test_cases } = sumOfTwo
const limits = { problem_id: sumOfTwo.id, accept_timeout, execution_timeout, memory_limit }

const summarise = ({ id, hidden, input, expected_output }: typeof sampleCase) => ({
  ...{ id, hidden, version: 1 },
  bytes: Buffer.byteLength(input + expected_output),
})

const BYTES = `The \`ETag\` is \`W/"VERSION"\`, with the \`version\` of the test case in the list. If it is
another one, the test case has changed since: read the list again. Judges get the test cases of a
deleted problem while submissions to it are pending.`

const numberTheory = { name: 'Number Theory' }

export const problemOperations = {
  listProblems: {
    summary: 'List the problems that the caller may see',
    description: `The public problems and the caller's own, or all problems for admins and judges;
the oldest first, without test cases. Problems that the caller sees only through an event are in
\`GET /v1/events/{event_id}/problems\`. \`query\` searches the problems, the best hits first; it is
ignored if the service has no search backend.`,
    example: { response: [summariseProblem(sumOfTwo), summariseProblem(longestWord)] },
  },
  readProblem: {
    summary: 'Read a problem with its test cases, the hidden ones blank',
    description: `Test cases come in the order in which they were given. Hidden ones have an empty
\`input\` and \`expected_output\`, except for judges; admins read them from
\`GET /v1/problem_description/{id}/tests\`. A private problem gets 404 unless the caller is an
admin, a judge, its author, or takes part in an event that has started and shows the problem. A
judge gets 409 \`TESTS_TOO_LARGE\` for tests of more than 64 MiB.

Only judges and admins get \`validation\`, \`test_groups\`, \`max_score\`, \`run\` and \`limits\`,
where the problem has them. A judge worker must then list its capabilities in \`Judge-Capabilities\`
(409 \`WORKER_TOO_OLD\`).`,
    example: {
      response: { ...sumOfTwo, test_cases: [sampleCase, { ...hiddenCase, input: '', expected_output: '' }] },
    },
  },
  readProblemTests: {
    summary: 'Read a problem’s limits and all its test cases',
    description: `For judges and admins: every whole test case, in the order in which to run them,
and the problem's own limits. An event may have other limits: a worker takes the limits from the
submission's \`problem\`, and the tests from here. Tests may change at any time, so ask for each
submission. A worker that keeps tests sends their \`ETag\` as \`If-None-Match\`; while they are
unchanged it gets a 304. Judges get the tests of a deleted problem while submissions to it are
pending. Tests of more than 64 MiB get 409 \`TESTS_TOO_LARGE\`: read them in parts, first
\`GET /v1/problem_description/{id}/test_cases\`.

A problem may say how to judge it: \`validation\` (needs the capability \`validation/1\`, with
\`case_flags\` also \`case-flags/1\`), \`test_groups\` with \`max_score\` (\`test-groups/1\`), \`limits\` (\`limits/1\`) and \`run\`. A
judge worker lists its capabilities in \`Judge-Capabilities\`; without one that the problem needs it
gets 409 \`WORKER_TOO_OLD\`, also instead of a 304. Admins need none.`,
    example: { params: { id: sumOfTwo.id }, response: { ...limits, test_cases } },
  },
  createProblem: {
    summary: 'Create a problem with its test cases',
    description: `For admins. \`title\`, \`identifier\`, \`prompt\`, \`difficulty\` and at least one
test case are required. A test case needs an input and an expected output. A problem may have 10,000
test cases, 64 MiB in each, 64 MiB in the public ones and 256 MiB in all. Those that do not fit into
the body are appended with \`POST /v1/problems/{id}/test_cases\`. \`accept_timeout\` and
\`execution_timeout\` default to \`timeout\`, and without it to 10 and 5 seconds; \`memory_limit\`
defaults to 256 MiB. By default a problem is private and belongs to the caller. An unknown
\`user_id\` or category gets 404.

\`validation\` replaces the plain comparison of outputs; its \`case_flags\` replace \`flags\` for
some test cases. \`test_groups\` give points: they are added up to the problem's \`max_score\`.
Groups and \`case_flags\` must name test cases that exist. Test cases in no group must
pass, but give no points. \`limits\` has the limits of the problem package format. Without these fields
and \`run\`, any judge worker can judge the problem.`,
    example: { body: fizzBuzz, response: { id: 3, event_problem_id: 0 } },
  },
  updateProblem: {
    summary: 'Change any of a problem’s fields, its test cases as a whole',
    description: `For admins. Absent fields stay as they are; the others follow the rules of
creation. \`timeout\` also sets the two specific timeouts, unless they are sent too.
\`category_ids\` and \`test_cases\` replace the whole list. A test case sent with its \`id\` in this
problem keeps the id; any other is new. Existing verdicts stay as they are. \`validation\`,
\`test_groups\`, \`run\` and \`limits\` are each replaced as a whole; null removes one. The groups
and \`case_flags\` must fit the test cases that the problem has afterwards.`,
    example: {
      body: newTests,
      response: { id: sumOfTwo.id, event_problem_id: 0 },
    },
  },
  deleteProblem: {
    summary: 'Delete a problem; its submissions stay',
    description: `For admins. The problem leaves all lists, including the lists of events, and takes
no more submissions. Its submissions stay, and pending ones are still judged.`,
    example: { params: { problem_description_id: longestWord.id } },
  },
  toggleProblemVisibility: {
    summary: 'Make a public problem private, or a private one public',
    description: `For admins. Inverts \`public\`; the request has no body, and the response has the
new value. A second request restores the old value: to set a value, use \`PUT /v1/problems/{id}\`.`,
    example: {
      params: { problem_id: longestWord.id },
      response: { ...summariseProblem(longestWord), public: false },
    },
  },
  readTestManifest: {
    summary: 'Read a problem’s limits and the list of its test cases, without their texts',
    description: `For judges and admins: as \`GET /v1/problem_description/{id}/tests\`, but each test
case has its \`version\` and the \`bytes\` of its texts. A worker that keeps test cases reads those
whose \`version\` it does not have, and runs them in the order of the list. The \`ETag\` is of the
list: ask for each submission.`,
    example: {
      params: { id: sumOfTwo.id },
      response: { ...limits, test_cases: [summarise(sampleCase), summarise(hiddenCase)] },
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
      body: { test_cases: [{ input: '0 0\n', expected_output: '0\n', hidden: true }] },
      response: { ids: ['019c0f3e-9d80-7a52-b1c3-5f0a7f6d2e11'] },
    },
  },
  updateTestCase: {
    summary: 'Change the texts of a test case, or whether it is hidden',
    description: `For admins. Absent fields stay as they are, and so do the id and the place. The
texts may be empty. Existing verdicts stay as they are.`,
    example: {
      params: { test_case_id: hiddenCase.id },
      body: { input: '-20 22\n', expected_output: '2\n' },
    },
  },
  deleteTestCase: {
    summary: 'Delete a test case',
    description: `For admins. Existing verdicts stay as they are. The only test case of a problem,
and a test case of a problem with \`test_groups\` or \`case_flags\`, get 400.`,
    example: { params: { test_case_id: hiddenCase.id } },
  },
  listCategories: {
    summary: 'List the categories',
    description: `All categories by name; the usual ones exist from the start. \`category_ids\` of a
problem has their ids.`,
    example: { response: [implementation, mathematics] },
  },
  listProblemCategories: {
    summary: 'List the categories of a problem',
    description: 'The categories of one problem by name; 404 for users who may not see the problem.',
    example: { response: [implementation, mathematics] },
  },
  createCategory: {
    summary: 'Create a category',
    description:
      'For admins. A name that exists gets 409 `CATEGORY_EXISTS`: NFKC forms are compared, ignoring case.',
    example: {
      body: numberTheory,
      response: { id: '019bb194-87e0-7748-9eee-15e1f6810909', ...numberTheory },
    },
  },
  deleteCategory: {
    summary: 'Delete a category; problems lose it',
    description: 'For admins. The problems stay, without this category.',
    example: { params: { category_id: mathematics.id } },
  },
} satisfies SomeOperations
