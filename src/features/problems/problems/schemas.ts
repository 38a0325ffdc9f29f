import { MAX_TEST_CASES } from '@judge-data-layer/problem-format/judging-options'
import Type from 'typebox'
import type { Config } from '../../../config/config.ts'
import {
  Filled,
  Instant,
  IntegerId,
  Name,
  ResponseObject,
  Update,
  Uuid,
  Written,
} from '../../../http/routing/schema.ts'
import { PageQuery } from '../../../lists/page.ts'
import { Difficulty, UpdatedAt } from '../../shared/records/problems.ts'
import { judgingOptionFields, judgingOptionsShown } from './judging-options.ts'

export const CategoryBody = ({ nameCharacters }: Config['sizes']) =>
  Type.Object({ name: Name({ maxLength: nameCharacters }) }, { title: 'CategoryBody' })

export const CategoryResponse = ResponseObject({ id: Uuid(), name: Type.String() }, { title: 'Category' })

export const TestsPath = Type.Object({ id: IntegerId() })

/** `query` is ignored without a search backend (D38). */
export const ProblemListQuery = Type.Object({
  ...PageQuery.properties,
  query: Type.Optional(
    Written({ maxLength: 200, description: 'Words to search for; ignored without a search backend.' }),
  ),
})

const TestCaseResponse = ResponseObject(
  {
    id: Uuid(),
    problem_id: IntegerId(),
    input: Type.String(),
    expected_output: Type.String(),
    hidden: Type.Boolean({ description: 'Only judges, and admins by the tests route, see its texts.' }),
  },
  { title: 'TestCase' },
)

/** What a package says about a test case. */
const packageFields = {
  name: Type.Optional(Type.String({ description: 'Its path in the package, without extension.' })),
  hint: Type.Optional(Type.String({ description: 'For people whose program failed.' })),
  description: Type.Optional(Type.String({ description: 'What the test case is meant to test.' })),
}

/** The limits of a program on one test case. */
export const problemLimits = {
  accept_timeout: Type.Number({ description: 'Seconds of wall-clock time, for one test case.' }),
  execution_timeout: Type.Number({ description: 'Seconds of CPU time, for one test case.' }),
  memory_limit: Type.Integer({ description: 'MiB.' }),
}

const summary = {
  id: IntegerId(),
  user_id: Uuid({ description: 'The author, who sees the problem while it is private, too.' }),
  title: Type.String(),
  identifier: Type.String({ description: 'A short name; not unique.' }),
  prompt: Type.String(),
  source: Type.String({ description: 'The origin of the problem; may be empty.' }),
  difficulty: Difficulty,
  public: Type.Boolean({ description: 'Whether all users see it.' }),
  upload_date: Instant(),
  updated_at: UpdatedAt(),
  timeout: Type.Optional(
    Type.Number({
      description: 'Seconds: the default of the other two timeouts. Absent unless it was sent.',
    }),
  ),
  ...problemLimits,
  categories: Type.Array(CategoryResponse),
}

/** A problem in lists: every field but the test cases (D18). */
export const ProblemSummaryResponse = ResponseObject(summary, { title: 'ProblemSummary' })

const problem = { ...summary, test_cases: Type.Array(TestCaseResponse) }

export const ProblemResponse = ResponseObject(problem, { title: 'Problem' })

/** Only judges and admins get the judging options. */
export const FullProblemResponse = ResponseObject(
  {
    ...problem,
    ...judgingOptionsShown,
    timeout_is_provisional: Type.Optional(
      Type.Boolean({ description: 'True until verification of the package computes the time limit.' }),
    ),
  },
  { title: 'FullProblem' },
)

/** `event_problem_id` is 0: the problem is not in a contest (D17). */
export const ProblemWrittenResponse = ResponseObject(
  {
    id: IntegerId(),
    event_problem_id: IntegerId({ description: 'Always 0: this route adds the problem to no event.' }),
  },
  { title: 'WrittenProblem' },
)

const testsHead = { problem_id: IntegerId(), ...problemLimits, ...judgingOptionsShown }

const NamedTestCaseResponse = ResponseObject(
  { ...TestCaseResponse.properties, ...packageFields },
  { title: 'NamedTestCase' },
)

export const ProblemTestsResponse = ResponseObject(
  { ...testsHead, test_cases: Type.Array(NamedTestCaseResponse) },
  { title: 'ProblemTests' },
)

const TestCaseVersion = () =>
  Type.Integer({ description: 'Changes with the texts: a client keeps them while it is the same.' })

export const TestManifestResponse = ResponseObject(
  {
    ...testsHead,
    test_cases: Type.Array(
      ResponseObject(
        {
          id: Uuid(),
          hidden: Type.Boolean(),
          version: TestCaseVersion(),
          bytes: Type.Integer({ description: 'The UTF-8 bytes of both texts.' }),
          ...packageFields,
        },
        { title: 'TestCaseSummary' },
      ),
    ),
  },
  { title: 'TestManifest' },
)

export const VersionedTestCaseResponse = ResponseObject(
  { ...TestCaseResponse.properties, version: TestCaseVersion() },
  { title: 'VersionedTestCase' },
)

export const TestCasesAddedResponse = ResponseObject(
  { ids: Type.Array(Uuid(), { description: 'The ids of the new test cases, in the order of the body.' }) },
  { title: 'AddedTestCases' },
)

/** Body of `POST /v1/problems` (D17). */
export function problemCreation(sizes: Config['sizes']) {
  const { title, identifier, prompt, difficulty, test_cases, ...optional } = problemFields(sizes)
  return Type.Object(
    { title, identifier, prompt, difficulty, test_cases, ...Type.Partial(Type.Object(optional)).properties },
    { title: 'ProblemBody' },
  )
}

/** Body of `PUT /v1/problems/{problem_id}`: any of the fields, with the same rules (D20). */
export function problemUpdate(sizes: Config['sizes']) {
  return Update(problemFields(sizes), { title: 'ProblemUpdateBody' })
}

const TestText = () => Written({ description: 'May be empty.' })

const testCaseFields = { input: TestText(), expected_output: TestText(), hidden: Type.Boolean() }

export const TestCaseUpdateBody = Update(testCaseFields, { title: 'TestCaseUpdateBody' })

const MAX_CATEGORIES = 1000

export const TestCasesBody = Type.Object(
  {
    test_cases: Type.Array(Type.Object({ ...testCaseFields, hidden: Type.Optional(testCaseFields.hidden) }), {
      minItems: 1,
      maxItems: MAX_TEST_CASES,
    }),
  },
  { title: 'TestCasesBody' },
)

/** The categories of an imported problem. */
export const categoryNames = (sizes: Config['sizes']) =>
  Type.Object({ categories: Type.Array(CategoryBody(sizes).properties.name, { maxItems: MAX_CATEGORIES }) })

function problemFields({ nameCharacters, promptBytes }: Config['sizes']) {
  const bounds = { exclusiveMinimum: 0, maximum: 86_400 }
  const seconds = Type.Number({ ...bounds, description: 'Seconds.' })
  return {
    title: Name({ maxLength: nameCharacters }),
    identifier: Name({ maxLength: nameCharacters }),
    prompt: Filled({ maxBytes: promptBytes }),
    source: Written(),
    difficulty: Difficulty,
    public: Type.Boolean(),
    timeout: Type.Number({ ...bounds, description: 'Seconds; the default of the two others.' }),
    accept_timeout: seconds,
    execution_timeout: seconds,
    memory_limit: Type.Integer({ minimum: 1, maximum: 1_048_576, description: 'MiB.' }),
    user_id: Uuid({ description: 'The author; on creation the caller, unless sent.' }),
    category_ids: Type.Array(Uuid(), { maxItems: MAX_CATEGORIES }),
    test_cases: Type.Array(
      Type.Object({
        id: Type.Optional(
          Uuid({ description: 'On update: a test case of this problem keeps its id. Ignored on creation.' }),
        ),
        input: Written({ minLength: 1 }),
        expected_output: Written({ minLength: 1 }),
        hidden: Type.Optional(Type.Boolean()),
      }),
      { minItems: 1, maxItems: MAX_TEST_CASES },
    ),
    ...judgingOptionFields,
  }
}
