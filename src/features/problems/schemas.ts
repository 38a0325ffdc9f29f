import Type from 'typebox'
import type { Config } from '../../config.ts'
import { Answered, Filled, Instant, IntegerId, PageQuery, Uuid, Written } from '../../http/schema.ts'

/** The five values, with a space in the two-word ones; the older underscore is not one of them (D17). */
export const Difficulty = Type.Enum(['VERY EASY', 'EASY', 'MEDIUM', 'HARD', 'VERY HARD'], {
  title: 'Difficulty',
})

export const ProblemPath = Type.Object({ problem_id: IntegerId() })

/** `query` searches where a search backend is enabled, and is ignored where none is (D38). */
export const ProblemListQuery = Type.Object({
  ...PageQuery.properties,
  query: Type.Optional(Written({ maxLength: 200 })),
})

export const CategoryAnswer = Answered({ id: Uuid(), name: Type.String() }, { title: 'Category' })

export const TestCaseAnswer = Answered(
  {
    id: Uuid(),
    problem_id: IntegerId(),
    input: Type.String(),
    expected_output: Type.String(),
    hidden: Type.Boolean(),
  },
  { title: 'TestCase' },
)

const limits = {
  accept_timeout: Type.Number({ description: 'Seconds.' }),
  execution_timeout: Type.Number({ description: 'Seconds.' }),
  memory_limit: Type.Integer({ description: 'MiB.' }),
}

const summary = {
  id: IntegerId(),
  user_id: Uuid(),
  title: Type.String(),
  identifier: Type.String(),
  prompt: Type.String(),
  source: Type.String(),
  difficulty: Difficulty,
  public: Type.Boolean(),
  upload_date: Instant(),
  timeout: Type.Optional(Type.Number({ description: 'Seconds; the legacy default.' })),
  ...limits,
  categories: Type.Array(CategoryAnswer),
}

/** A problem in lists: every field but the test cases (D18). */
export const ProblemSummaryAnswer = Answered(summary, { title: 'ProblemSummary' })

export const ProblemAnswer = Answered(
  { ...summary, test_cases: Type.Array(TestCaseAnswer) },
  { title: 'Problem' },
)

/** `event_problem_id` is 0: the problem is not in a contest (D17). */
export const ProblemWrittenAnswer = Answered(
  { id: IntegerId(), event_problem_id: IntegerId() },
  { title: 'WrittenProblem' },
)

export const ProblemTestsAnswer = Answered(
  {
    problem_id: IntegerId(),
    ...limits,
    test_cases: Type.Array(TestCaseAnswer),
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
  const seconds = Type.Number({ exclusiveMinimum: 0, maximum: 86_400, description: 'Seconds.' })
  return {
    title: Filled({ maxLength: nameCharacters }),
    identifier: Filled({ maxLength: nameCharacters }),
    prompt: Filled(),
    source: Written(),
    difficulty: Difficulty,
    public: Type.Boolean(),
    timeout: seconds,
    accept_timeout: seconds,
    execution_timeout: seconds,
    memory_limit: Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'MiB.' }),
    user_id: Uuid(),
    category_ids: Type.Array(Uuid(), { maxItems: MAX_CATEGORIES }),
    test_cases: Type.Array(
      Type.Object({
        id: Type.Optional(Uuid()),
        input: Written({ minLength: 1 }),
        expected_output: Written({ minLength: 1 }),
        hidden: Type.Optional(Type.Boolean()),
      }),
      { minItems: 1, maxItems: MAX_TEST_CASES },
    ),
  }
}
