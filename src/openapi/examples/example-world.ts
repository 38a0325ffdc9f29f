import type { Static } from 'typebox'
import type { CategoryResponse, ProblemResponse } from '../../features/problems/problems/schemas.ts'
import type { LanguageResponse } from '../../features/shared/records/languages.ts'
import type { UserResponse } from '../../features/shared/records/users.ts'

type User = Static<typeof UserResponse>
type Category = Static<typeof CategoryResponse>
type Language = Static<typeof LanguageResponse>
type Problem = Static<typeof ProblemResponse>

const userOf = (name: string, id: string, join_date: string): User => ({
  id,
  name,
  email: `${name.toLowerCase()}@example.org`,
  image: '',
  is_admin: false,
  join_date,
})

/** The admin: she owns the problems and the contest. */
export const ada: User = {
  ...userOf('Ada', '019b8d2b-8c00-72c9-826d-99512f53e9c4', '2026-01-05T08:00:00Z'),
  is_admin: true,
}

/** A contestant: she sends most examples. */
export const ulla: User = {
  ...userOf('Ulla', '019b9942-0780-7512-8382-a8fa95fa516f', '2026-01-07T16:20:00Z'),
  image: 'https://example.org/ulla.png',
}

/** Ulla's team mate; he logs in at an OAuth provider. */
export const viktor: User = {
  ...userOf('Viktor', '019b9959-6010-70d8-b4a5-f9e7078f5e45', '2026-01-07T16:45:30Z'),
  image: 'https://example.org/viktor.png',
}

/** A user who is neither in the contest nor on a team. */
export const wim = userOf('Wim', '019ba26e-5b60-7421-b206-84bc39f339a7', '2026-01-09T11:05:00Z')

/** Secrets, which no response contains. */
export const secrets = {
  ullasPassword: 'correct horse battery staple',
  ullasResetToken: 'rVJ4rRSSUQLJ9S4yLTkZlRsbUcXdtV0DYNiPYZnP0XE',
  viktorsProviderId: 'github:5832311',
}

/** Ulla's token, signed with a random secret. */
export const userToken =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpZCI6IjAxOWI5OTQyLTA3ODAtNzUxMi04MzgyLWE4ZmE5NWZhNTE2ZiIsInJvbGUiOjAsInZlciI6MSwiaWF0IjoxNzY4MDM1NjAwLCJleHAiOjE3Njg2NDA0MDB9.xzTIPwNhnr_Lt0aUuUGyLNyJQ7fwf7fJ_g7MK-ms12s'

export const implementation: Category = { id: '019b8d30-1fe0-7396-acdd-6c2077125104', name: 'Implementation' }
export const mathematics: Category = { id: '019b8d31-0a40-7212-adc5-29e120202466', name: 'Mathematics' }

export const cpp: Language = {
  id: '019b8d2a-a1a0-7586-bc21-0ec1b1cf4c02',
  name: 'C++',
  extension: 'cpp',
  version: '17',
}
export const python: Language = {
  id: '019b8d2a-a1a0-7376-a885-9f748a68397c',
  name: 'Python',
  extension: 'py',
  version: '3',
}

/** A public test case. */
export const sampleCase = {
  id: '019b92bf-c500-7148-9c5b-d9ed94eb9cb3',
  problem_id: 1,
  input: '1 2\n',
  expected_output: '3\n',
  hidden: false,
}

/** A hidden test case, as judges see it. */
export const hiddenCase = {
  id: '019b92bf-c500-7192-bb21-8fe6f7894a69',
  problem_id: 1,
  input: '20 22\n',
  expected_output: '42\n',
  hidden: true,
}

/** The problem of the contest, as a judge reads it. */
export const sumOfTwo: Problem = {
  id: 1,
  user_id: ada.id,
  title: 'Sum of Two',
  identifier: 'sum-of-two',
  prompt: 'Read two integers and print their sum.',
  source: 'Practice League 2026',
  difficulty: 'VERY EASY',
  public: true,
  upload_date: '2026-01-06T10:00:00Z',
  updated_at: '2026-01-10T09:24:30Z',
  accept_timeout: 10,
  execution_timeout: 5,
  memory_limit: 256,
  categories: [implementation, mathematics],
  test_cases: [sampleCase, hiddenCase],
}

/** A problem outside the contest; its limits follow its `timeout`. */
export const longestWord: Problem = {
  id: 2,
  user_id: ada.id,
  title: 'Longest Word',
  identifier: 'longest-word',
  prompt: 'Read a line and print its longest word; the first of them where several are as long.',
  source: '',
  difficulty: 'EASY',
  public: true,
  upload_date: '2026-01-06T11:00:00Z',
  updated_at: '2026-01-06T11:00:00Z',
  timeout: 2,
  accept_timeout: 2,
  execution_timeout: 2,
  memory_limit: 128,
  categories: [implementation],
  test_cases: [
    {
      id: '019b92f6-b380-70a9-ba2f-90c9f49ad120',
      problem_id: 2,
      input: 'to be or not to be\n',
      expected_output: 'not\n',
      hidden: false,
    },
  ],
}

/** A problem in lists: without its test cases. */
export function summariseProblem({ test_cases, ...summary }: Problem): Omit<Problem, 'test_cases'> {
  return summary
}

const waitingRun = (id: string, source_code: string, stdin: string) => ({
  id,
  language_id: python.id,
  source_code,
  stdin,
  status: 'PENDING',
  finished: false,
})

const finishedRun = (run: ReturnType<typeof waitingRun>, stdout: string, runtime: number) => ({
  ...run,
  status: 'ACCEPTED',
  finished: true,
  stdout,
  stderr: '',
  runtime,
})

const sum = 'print(sum(map(int, input().split())))\n'
const reversal = 'print(input()[::-1])\n'

/** Custom-input runs: with and without an account, finished and waiting. */
export const runs = {
  finished: finishedRun(waitingRun('019ba726-da60-71ba-ae25-adc34ff67962', sum, '4 5\n'), '9\n', 0.021),
  waiting: waitingRun('019ba740-7ce0-76e3-a263-2a86c028c51d', 'print(1 / 0)\n', ''),
  finishedPublic: finishedRun(
    waitingRun('019ba727-c4c0-75a9-a9c1-418e4348e860', reversal, 'stressed\n'),
    'desserts\n',
    0.019,
  ),
  waitingBench: waitingRun('019ba740-f210-74a3-b3c4-1d105a94601e', 'print(input())\n', 'ping\n'),
}
