import Type from 'typebox'
import type { Config } from '../../config/config.ts'
import {
  Filled,
  Instant,
  IntegerId,
  PageQuery,
  ResponseObject,
  Uuid,
  Written,
} from '../../http/routing/schema.ts'

/** The five values, with a space in the two-word ones; the older underscore is not one of them (D17). */
export const Difficulty = Type.Enum(['VERY EASY', 'EASY', 'MEDIUM', 'HARD', 'VERY HARD'], {
  title: 'Difficulty',
})

export const ProblemPath = Type.Object({ problem_id: IntegerId() })

/** `query` searches where a search backend is enabled, and is ignored where none is (D38). */
export const ProblemListQuery = Type.Object({
  ...PageQuery.properties,
  query: Type.Optional(
    Written({ maxLength: 200, description: 'Words to look for; ignored where there is no search backend.' }),
  ),
})

export const CategoryResponse = ResponseObject({ id: Uuid(), name: Type.String() }, { title: 'Category' })

export const TestCaseResponse = ResponseObject(
  {
    id: Uuid(),
    problem_id: IntegerId(),
    input: Type.String(),
    expected_output: Type.String(),
    hidden: Type.Boolean({ description: 'Only judges, and admins by the tests route, see what is in it.' }),
  },
  { title: 'TestCase' },
)

/** The limits of a program on one test case, as answered; what they bound is the reading of our own worker. */
export const problemLimits = {
  accept_timeout: Type.Number({ description: 'Seconds by the clock, for one test case.' }),
  execution_timeout: Type.Number({ description: 'Seconds of CPU time, for one test case.' }),
  memory_limit: Type.Integer({ description: 'MiB.' }),
}

const summary = {
  id: IntegerId(),
  user_id: Uuid({ description: 'Its author, who sees it also while it is private.' }),
  title: Type.String(),
  identifier: Type.String({ description: 'A short name; not unique.' }),
  prompt: Type.String(),
  source: Type.String({ description: 'Where it comes from; may be empty.' }),
  difficulty: Difficulty,
  public: Type.Boolean({ description: 'Whether everybody with a token sees it.' }),
  upload_date: Instant(),
  timeout: Type.Optional(
    Type.Number({
      description:
        'Seconds: what the other two timeouts are where they were not given. Absent unless it was sent.',
    }),
  ),
  ...problemLimits,
  categories: Type.Array(CategoryResponse),
}

/** A problem in lists: every field but the test cases (D18). */
export const ProblemSummaryResponse = ResponseObject(summary, { title: 'ProblemSummary' })

export const ProblemResponse = ResponseObject(
  { ...summary, test_cases: Type.Array(TestCaseResponse) },
  { title: 'Problem' },
)

/** `event_problem_id` is 0: the problem is not in a contest (D17). */
export const ProblemWrittenResponse = ResponseObject(
  {
    id: IntegerId(),
    event_problem_id: IntegerId({ description: 'Always 0: this route puts the problem into no event.' }),
  },
  { title: 'WrittenProblem' },
)

export const ProblemTestsResponse = ResponseObject(
  {
    problem_id: IntegerId(),
    ...problemLimits,
    test_cases: Type.Array(TestCaseResponse),
  },
  { title: 'ProblemTests' },
)

export const CategoryBody = ({ nameCharacters }: Config['sizes']) =>
  Type.Object({ name: Filled({ maxLength: nameCharacters }) }, { title: 'CategoryBody' })

export const CategoryPath = Type.Object({ category_id: Uuid() })

/** Body of `POST /v1/problems` (D17). */
export function problemCreation(sizes: Config['sizes']) {
  const { title, identifier, prompt, difficulty, test_cases, ...optional } = problemFields(sizes)
  return Type.Object(
    {
      title,
      identifier,
      prompt,
      difficulty,
      test_cases,
      ...Type.Partial(Type.Object(optional)).properties,
    },
    { title: 'ProblemBody' },
  )
}

/** Body of `PUT /v1/problems/{problem_id}`: any of the fields, each held to the same rules (D20). */
export function problemUpdate(sizes: Config['sizes']) {
  return Type.Partial(Type.Object(problemFields(sizes)), { title: 'ProblemUpdateBody' })
}

/**
 * Many more fit into a body, but 1,500,000 test cases took longer than the 10 s of a statement, and
 * no verdict on so many would fit into a body of its own.
 */
export const MAX_TEST_CASES = 10_000
const MAX_CATEGORIES = 1000

function problemFields({ nameCharacters }: Config['sizes']) {
  const bounds = { exclusiveMinimum: 0, maximum: 86_400 }
  const seconds = Type.Number({ ...bounds, description: 'Seconds.' })
  return {
    title: Filled({ maxLength: nameCharacters }),
    identifier: Filled({ maxLength: nameCharacters }),
    prompt: Filled(),
    source: Written(),
    difficulty: Difficulty,
    public: Type.Boolean(),
    timeout: Type.Number({
      ...bounds,
      description: 'Seconds; for those of the two others that are not sent.',
    }),
    accept_timeout: seconds,
    execution_timeout: seconds,
    memory_limit: Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'MiB.' }),
    user_id: Uuid({ description: 'The author; on creation the caller, unless sent.' }),
    category_ids: Type.Array(Uuid(), { maxItems: MAX_CATEGORIES }),
    test_cases: Type.Array(
      Type.Object({
        id: Type.Optional(
          Uuid({
            description: 'On update: of a case that the problem has, which keeps it. Ignored on creation.',
          }),
        ),
        input: Written({ minLength: 1 }),
        expected_output: Written({ minLength: 1 }),
        hidden: Type.Optional(Type.Boolean()),
      }),
      { minItems: 1, maxItems: MAX_TEST_CASES },
    ),
  }
}
