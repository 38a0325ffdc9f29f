import type { JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { waitForVerdict } from '@judge-data-layer/client/waiting'
import type { Language } from '@judge-data-layer/languages'
import type { Account } from './account.ts'
import type { DemoProblem, DemoSolution } from './load-problems.ts'
import { describeTable } from './table.ts'

/** What each kind of solution is expected to get. */
export const expectedStatus = {
  right: 'ACCEPTED',
  wrong: 'WRONG_ANSWER',
  slow: 'TIME_LIMIT_EXCEEDED',
} as const

/** One solution, submitted. */
export interface Attempt {
  readonly id: string
  readonly problem: string
  readonly language: string
  readonly kind: keyof typeof expectedStatus
}

export interface Verdict extends Attempt {
  readonly status: string
  /** Seconds. */
  readonly timeElapsed: number
}

// A demo is watched: it looks more often than a page should.
const LONGEST_PAUSE_MS = 500

/** A problem of the demo as the service keeps it. */
export interface CreatedProblem extends DemoProblem {
  readonly id: number
}

/** Creates the problems, filed under their categories. */
export async function createProblems(
  admin: JudgeClient,
  problems: readonly DemoProblem[],
): Promise<CreatedProblem[]> {
  const categories = new Map((await orThrow(admin.GET('/v1/categories'))).map(({ id, name }) => [name, id]))
  const created: CreatedProblem[] = []
  for (const problem of problems) {
    const { solutions, categories: filedUnder, ...fields } = problem
    const category_ids = filedUnder.flatMap((name) => categories.get(name) ?? [])
    const body = { ...fields, test_cases: [...fields.test_cases], category_ids }
    const { id } = await orThrow(admin.POST('/v1/problems', { body }))
    created.push({ ...problem, id })
  }
  return created
}

/** The ids of the languages that the worker can run, by file extension. */
export async function findLanguages(
  client: JudgeClient,
  installed: readonly Language[],
): Promise<Map<string, { id: string; name: string }>> {
  const names = new Set(installed.map((language) => language.name))
  const usable = (await orThrow(client.GET('/v1/languages'))).filter((language) => names.has(language.name))
  return new Map(usable.map((language) => [language.extension, language]))
}

/** Submits every solution that is written in one of the languages: the right ones of a problem first, then the wrong, then the slow. */
export async function submitSolutions(
  user: Account,
  problems: readonly CreatedProblem[],
  languages: ReadonlyMap<string, { id: string; name: string }>,
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const { id: problem_id, title, solutions } of problems) {
    for (const { kind, extension, source_code } of solutions.toSorted(byKind)) {
      const language = languages.get(extension)
      if (language === undefined) continue
      const body = { user_id: user.id, problem_id, language_id: language.id, source_code }
      const { id } = await orThrow(user.client.POST('/v1/submissions', { body }))
      attempts.push({ id, problem: title, language: language.name, kind })
    }
  }
  return attempts
}

const kinds = Object.keys(expectedStatus)

const byKind = (a: DemoSolution, b: DemoSolution) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)

/** Waits until every attempt has its verdict, telling `onVerdict` of each as it comes. Throws after `timeoutMs`. */
export function waitForVerdicts(
  client: JudgeClient,
  attempts: readonly Attempt[],
  options: { readonly timeoutMs: number; readonly onVerdict: (verdict: Verdict, done: number) => void },
): Promise<Verdict[]> {
  const { timeoutMs, onVerdict } = options
  let done = 0
  const wait = async (attempt: Attempt): Promise<Verdict> => {
    const { status, time_elapsed } = await waitForVerdict(client, attempt.id, {
      timeoutMs,
      maxDelayMs: LONGEST_PAUSE_MS,
    })
    const verdict = { ...attempt, status, timeElapsed: time_elapsed }
    done += 1
    onVerdict(verdict, done)
    return verdict
  }
  return Promise.all(attempts.map(wait))
}

/** The verdicts as a table of text, each marked as expected or not. */
export function describeVerdicts(verdicts: readonly Verdict[]): string {
  return describeTable([
    ['Problem', 'Language', 'Solution', 'Verdict', 'Seconds', ''],
    ...verdicts.map((verdict) => [
      verdict.problem,
      verdict.language,
      verdict.kind,
      verdict.status,
      verdict.timeElapsed.toFixed(2),
      verdict.status === expectedStatus[verdict.kind]
        ? 'as expected'
        : `EXPECTED ${expectedStatus[verdict.kind]}`,
    ]),
  ])
}
