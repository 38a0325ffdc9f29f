import { setTimeout as pause } from 'node:timers/promises'
import type { Language } from '@judge-data-layer/languages'
import type { Account, Api } from './api.ts'
import type { DemoProblem, DemoSolution } from './load-problems.ts'

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

/** Creates the problems and submits every solution that is written in one of the worker's languages. */
export async function submitSolutions(
  api: Api,
  problems: readonly DemoProblem[],
  people: { readonly admin: Account; readonly user: Account },
  installed: readonly Language[],
): Promise<Attempt[]> {
  const categories = new Map((await api.listCategories(people.admin.token)).map(({ id, name }) => [name, id]))
  const names = new Set(installed.map((language) => language.name))
  const usable = (await api.listLanguages()).filter((language) => names.has(language.name))
  const languages = new Map(usable.map((language) => [language.extension, language]))
  const attempts: Attempt[] = []
  for (const { solutions, categories: filedUnder, ...problem } of problems) {
    const category_ids = filedUnder.map((name) => categories.get(name))
    const { id: problem_id } = await api.createProblem(people.admin.token, { ...problem, category_ids })
    for (const { kind, extension, source_code } of solutions.toSorted(byKind)) {
      const language = languages.get(extension)
      if (language === undefined) continue
      const submission = { user_id: people.user.id, problem_id, language_id: language.id, source_code }
      const { id } = await api.submit(people.user.token, submission)
      attempts.push({ id, problem: problem.title, language: language.name, kind })
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
  const rows = [
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
  ]
  const widths = [0, 1, 2, 3, 4, 5].map((column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
