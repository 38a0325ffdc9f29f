import type { Static } from 'typebox'
import type { problemRoutes } from '../../features/problems/routes.ts'
import type { ProblemTestsResponse, problemCreation, problemUpdate } from '../../features/problems/schemas.ts'
import {
  ada,
  hiddenCase,
  longestWord,
  mathematics,
  sampleCase,
  summariseProblem,
  sumOfTwo,
} from '../examples/example-world.ts'
import type { Operations } from '../operation-docs.ts'

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
}

/** The sample stays, the hidden test is another, and a third comes after it. */
const newTests: Static<ReturnType<typeof problemUpdate>> = {
  execution_timeout: 3,
  test_cases: [
    { id: sampleCase.id, input: sampleCase.input, expected_output: sampleCase.expected_output },
    { id: hiddenCase.id, input: '-20 22\n', expected_output: '2\n', hidden: true },
    { input: '0 0\n', expected_output: '0\n', hidden: true },
  ],
}

const { accept_timeout, execution_timeout, memory_limit, test_cases } = sumOfTwo
const tests: Static<typeof ProblemTestsResponse> = {
  problem_id: sumOfTwo.id,
  accept_timeout,
  execution_timeout,
  memory_limit,
  test_cases,
}

export const problemOperations: Operations<ReturnType<typeof problemRoutes>[number]> = {
  listProblems: {
    summary: 'List the problems that the caller may see',
    description: `The public problems and the caller's own, all of them for admins and judges; the oldest first, without test cases. Problems that are seen
only through an event are not here but in \`GET /v1/events/{event_id}/problems\`. \`query\` searches them, the best hits first, where the service has a search
backend, and is ignored where it has none.`,
    example: { response: [summariseProblem(sumOfTwo), summariseProblem(longestWord)] },
  },
  readProblem: {
    summary: 'Read a problem with its test cases, the hidden ones blank',
    description: `Test cases come in the order in which they were given. Hidden ones have an empty \`input\` and \`expected_output\` for everybody but judges;
admins read them by \`GET /v1/problem_description/{id}/tests\`. A private problem is 404, unless the caller is an admin, a judge or its author, or
takes part in an event that has it, not hidden, and that has started.`,
    example: {
      params: { problem_id: sumOfTwo.id },
      response: { ...sumOfTwo, test_cases: [sampleCase, { ...hiddenCase, input: '', expected_output: '' }] },
    },
  },
  readProblemTests: {
    summary: 'Read a problem’s limits and all its test cases',
    description: `For judges and admins: every test case whole, in the order in which to run them, and the problem's own limits. A submission to an event may
have others: a worker takes the limits out of the submission's \`problem\`, and the tests from here. They may change at any time: ask for each submission. A worker
that keeps tests sends their \`ETag\` as \`If-None-Match\`, and gets a 304 while they are the same.`,
    example: { params: { id: sumOfTwo.id }, response: tests },
  },
  createProblem: {
    summary: 'Create a problem with its test cases',
    description: `For admins. \`title\`, \`identifier\`, \`prompt\`, \`difficulty\` and at least one test case are required; neither side of a test case may be
empty. \`accept_timeout\` and \`execution_timeout\` are those sent, else \`timeout\`, else 10 and 5 seconds; \`memory_limit\` is 256 MiB unless sent. A problem is
private, and belongs to the caller, unless said otherwise. An unknown \`user_id\` or category is 404.`,
    example: { body: fizzBuzz, response: { id: 3, event_problem_id: 0 } },
  },
  updateProblem: {
    summary: 'Change any of a problem’s fields, its test cases as a whole',
    description: `For admins; what is left out stays as it is, and what is sent obeys the rules of creation. \`timeout\` sets both specific timeouts that are not
sent along. \`category_ids\` and \`test_cases\` replace theirs as a whole: a test case sent with the \`id\` that it has in this problem keeps it, any other is new.
Verdicts that exist stay as they are.`,
    example: {
      params: { problem_id: sumOfTwo.id },
      body: newTests,
      response: { id: sumOfTwo.id, event_problem_id: 0 },
    },
  },
  deleteProblem: {
    summary: 'Delete a problem; its submissions stay',
    description:
      'For admins. The problem leaves the lists, those of events included, and nothing can be submitted to it any more; submissions to it stay.',
    example: { params: { problem_description_id: longestWord.id } },
  },
  toggleProblemVisibility: {
    summary: 'Make a public problem private, or a private one public',
    description:
      'For admins. Takes no body and flips `public`; the answer says what it is now. Sent twice it changes nothing: to set a value, use `PUT /v1/problems/{id}`.',
    example: {
      params: { problem_id: longestWord.id },
      response: { ...summariseProblem(longestWord), public: false },
    },
  },
}
