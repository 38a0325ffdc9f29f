import { setTimeout as pause } from 'node:timers/promises'
import type { Language } from '@judge-data-layer/languages'
import type { Account, Api } from './api.ts'
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

const POLL_MS = 200

/** A problem of the demo as the service keeps it. */
export interface CreatedProblem extends DemoProblem {
  readonly id: number
}

/** Creates the problems, filed under their categories. */
export async function createProblems(
  api: Api,
  admin: Account,
  problems: readonly DemoProblem[],
): Promise<CreatedProblem[]> {
  const categories = new Map((await api.listCategories(admin.token)).map(({ id, name }) => [name, id]))
  const created: CreatedProblem[] = []
  for (const problem of problems) {
    const { solutions, categories: filedUnder, ...fields } = problem
    const category_ids = filedUnder.map((name) => categories.get(name))
    const { id } = await api.createProblem(admin.token, { ...fields, category_ids })
    created.push({ ...problem, id })
  }
  return created
}

/** The ids of the languages that the worker can run, by file extension. */
export async function findLanguages(
  api: Api,
  installed: readonly Language[],
): Promise<Map<string, { id: string; name: string }>> {
  const names = new Set(installed.map((language) => language.name))
  const usable = (await api.listLanguages()).filter((language) => names.has(language.name))
  return new Map(usable.map((language) => [language.extension, language]))
}

/** Submits every solution that is written in one of the languages: the right ones of a problem first, then the wrong, then the slow. */
export async function submitSolutions(
  api: Api,
  user: Account,
  problems: readonly CreatedProblem[],
  languages: ReadonlyMap<string, { id: string; name: string }>,
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const { id: problem_id, title, solutions } of problems) {
    for (const { kind, extension, source_code } of solutions.toSorted(byKind)) {
      const language = languages.get(extension)
      if (language === undefined) continue
      const submission = { user_id: user.id, problem_id, language_id: language.id, source_code }
      const { id } = await api.submit(user.token, submission)
      attempts.push({ id, problem: title, language: language.name, kind })
    }
  }
  return attempts
}

const kinds = Object.keys(expectedStatus)

const byKind = (a: DemoSolution, b: DemoSolution) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)

/** Polls until every attempt has its verdict, telling `onVerdict` of each as it comes. Throws after `timeoutMs`. */
export async function waitForVerdicts(
  api: Api,
  token: string,
  attempts: readonly Attempt[],
  options: { readonly timeoutMs: number; readonly onVerdict: (verdict: Verdict, done: number) => void },
): Promise<Verdict[]> {
  const verdicts = new Map<string, Verdict>()
  const endMs = performance.now() + options.timeoutMs
  while (verdicts.size < attempts.length) {
    for (const attempt of attempts.filter(({ id }) => !verdicts.has(id))) {
      const { status, time_elapsed } = await api.readSubmission(token, attempt.id)
      if (status === 'PENDING') continue
      const verdict = { ...attempt, status, timeElapsed: time_elapsed }
      verdicts.set(attempt.id, verdict)
      options.onVerdict(verdict, verdicts.size)
    }
    if (performance.now() > endMs)
      throw new Error(`No verdict for ${attempts.length - verdicts.size} submissions`)
    await pause(POLL_MS)
  }
  return attempts.flatMap(({ id }) => verdicts.get(id) ?? [])
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
