import { availableParallelism } from 'node:os'
import type { JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { waitForVerdict } from '@judge-data-layer/client/waiting'
import type { Language } from '@judge-data-layer/languages'
import pLimit from 'p-limit'
import type { Account } from './account.ts'
import type { DemoProblem, DemoSolution } from './load-problems.ts'
import { describeTable } from './table.ts'

const expectedStatus = {
  right: 'ACCEPTED',
  wrong: 'WRONG_ANSWER',
  slow: 'TIME_LIMIT_EXCEEDED',
} as const
const kinds = Object.keys(expectedStatus)
const MAX_POLL_DELAY_MS = 500

/** A submitted solution. */
export interface Attempt {
  readonly id: string
  readonly problem: string
  readonly language: string
  readonly kind: DemoSolution['kind']
}

export interface Verdict extends Attempt {
  readonly status: string
  readonly cpuSeconds: number
}

/** Called for each verdict, with the number of verdicts so far and the number of attempts. */
export type VerdictListener = (verdict: Verdict, done: number, total: number) => void

export interface CreatedProblem extends DemoProblem {
  readonly id: number
}

/** Creates the problems with their categories. */
export async function createProblems(
  admin: JudgeClient,
  problems: readonly DemoProblem[],
): Promise<CreatedProblem[]> {
  const categoryIds = new Map((await orThrow(admin.GET('/v1/categories'))).map(({ id, name }) => [name, id]))
  const created: CreatedProblem[] = []
  for (const problem of problems) {
    const { solutions, categories, ...fields } = problem
    const category_ids = categories.flatMap((name) => categoryIds.get(name) ?? [])
    const body = { ...fields, test_cases: [...fields.test_cases], category_ids }
    const { id } = await orThrow(admin.POST('/v1/problems', { body }))
    created.push({ ...problem, id })
  }
  return created
}

/** The service's languages that are installed, by file extension. */
export async function findLanguages(
  client: JudgeClient,
  installed: readonly Language[],
): Promise<Map<string, { id: string; name: string }>> {
  const names = new Set(installed.map((language) => language.name))
  const usable = (await orThrow(client.GET('/v1/languages'))).filter((language) => names.has(language.name))
  return new Map(usable.map((language) => [language.extension, language]))
}

/** Submits all solutions in the given languages: the right ones first, the slow ones last. */
export async function submitSolutions(
  user: Account,
  problems: readonly CreatedProblem[],
  languages: ReadonlyMap<string, { id: string; name: string }>,
): Promise<Attempt[]> {
  const solutions = problems.flatMap(({ id, title, solutions }) =>
    solutions.map((solution) => ({ ...solution, problem_id: id, problem: title })),
  )
  const attempts: Attempt[] = []
  for (const { kind, extension, source_code, problem_id, problem } of solutions.toSorted(byKind)) {
    const language = languages.get(extension)
    if (language === undefined) continue
    const body = { user_id: user.id, problem_id, language_id: language.id, source_code }
    const { id } = await orThrow(user.client.POST('/v1/submissions', { body }))
    attempts.push({ id, problem, language: language.name, kind })
  }
  return attempts
}

const byKind = (a: DemoSolution, b: DemoSolution) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)

/** Waits for the verdicts of all attempts. Throws if one takes longer than five minutes. */
export function waitForVerdicts(
  client: JudgeClient,
  attempts: readonly Attempt[],
  onVerdict: VerdictListener,
): Promise<Verdict[]> {
  // Verdicts come roughly in order: polling all attempts would slow down their judging.
  const limit = pLimit(2 * availableParallelism())
  let done = 0
  const wait = async (attempt: Attempt): Promise<Verdict> => {
    const found = await waitForVerdict(client, attempt.id, { maxDelayMs: MAX_POLL_DELAY_MS })
    const verdict = { ...attempt, status: found.status, cpuSeconds: found.time_elapsed }
    done += 1
    onVerdict(verdict, done, attempts.length)
    return verdict
  }
  return limit.map(attempts, wait)
}

export function isExpected({ kind, status }: Verdict): boolean {
  return status === expectedStatus[kind]
}

/** The verdicts as a table; the last column says whether they are expected. */
export function describeVerdicts(verdicts: readonly Verdict[]): string {
  return describeTable([
    ['Problem', 'Language', 'Solution', 'Verdict', 'CPU s', ''],
    ...verdicts.map((verdict) => [
      verdict.problem,
      verdict.language,
      verdict.kind,
      verdict.status,
      verdict.cpuSeconds.toFixed(2),
      isExpected(verdict) ? 'as expected' : `EXPECTED ${expectedStatus[verdict.kind]}`,
    ]),
  ])
}
