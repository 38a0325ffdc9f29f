import { availableParallelism } from 'node:os'
import type { JudgeClient } from '@judge-data-layer/client'
import { orThrow } from '@judge-data-layer/client/errors'
import { waitForVerdict } from '@judge-data-layer/client/waiting'
import type { Language } from '@judge-data-layer/languages'
import pLimit from 'p-limit'
import type { Account } from './account.ts'
import type { ImportedProblem } from './import-problems.ts'
import type { DemoProgram } from './load-problems.ts'
import { describeTable } from './table.ts'

const expectedStatus = {
  right: 'ACCEPTED',
  wrong: 'WRONG_ANSWER',
  crashing: 'RUNTIME_ERROR',
  slow: 'TIME_LIMIT_EXCEEDED',
} as const
const kinds = Object.keys(expectedStatus)
const MAX_POLL_DELAY_MS = 500

/** A submitted program. */
export interface Attempt {
  readonly id: string
  readonly problem: string
  readonly language: string
  readonly kind: DemoProgram['kind']
}

export interface Verdict extends Attempt {
  readonly status: string
  readonly reason?: string
  readonly cpuSeconds: number
}

/** Called for each verdict, with the number of verdicts so far and the number of attempts. */
export type VerdictListener = (verdict: Verdict, done: number, total: number) => void

/** The service's languages that are installed, by file extension. */
export async function findLanguages(
  client: JudgeClient,
  installed: readonly Language[],
): Promise<Map<string, { id: string; name: string }>> {
  const names = new Set(installed.map((language) => language.name))
  const usable = (await orThrow(client.GET('/v1/languages'))).filter((language) => names.has(language.name))
  return new Map(usable.map((language) => [language.extension, language]))
}

/** Submits all programs in the given languages: the right ones first, the slow ones last. */
export async function submitPrograms(
  user: Account,
  problems: readonly ImportedProblem[],
  languages: ReadonlyMap<string, { id: string; name: string }>,
): Promise<Attempt[]> {
  const programs = problems.flatMap(({ id, title, programs }) =>
    programs.map((program) => ({ ...program, problem_id: id, problem: title })),
  )
  const attempts: Attempt[] = []
  for (const { kind, extension, source_code, problem_id, problem } of programs.toSorted(byKind)) {
    const language = languages.get(extension)
    if (language === undefined) continue
    const body = { user_id: user.id, problem_id, language_id: language.id, source_code }
    const { id } = await orThrow(user.client.POST('/v1/submissions', { body }))
    attempts.push({ id, problem, language: language.name, kind })
  }
  return attempts
}

const byKind = (a: DemoProgram, b: DemoProgram) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)

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
    const { status, reason, time_elapsed: cpuSeconds } = found
    const verdict = { ...attempt, status, ...(reason && { reason }), cpuSeconds }
    done += 1
    onVerdict(verdict, done, attempts.length)
    return verdict
  }
  return limit.map(attempts, wait)
}

export function isExpected({ kind, status }: Verdict): boolean {
  return status === expectedStatus[kind]
}

/** `WRONG_ANSWER (PRESENTATION_ERROR)`: the status, with the reason if there is one. */
export const describeVerdict = ({ status, reason }: Pick<Verdict, 'status' | 'reason'>): string =>
  reason === undefined ? status : `${status} (${reason})`

/** The verdicts as a table; the last column says whether they are expected. */
export function describeVerdicts(verdicts: readonly Verdict[]): string {
  return describeTable([
    ['Problem', 'Language', 'Program', 'Verdict', 'CPU s', ''],
    ...verdicts.map((verdict) => [
      verdict.problem,
      verdict.language,
      verdict.kind,
      describeVerdict(verdict),
      verdict.cpuSeconds.toFixed(2),
      isExpected(verdict) ? 'as expected' : `EXPECTED ${expectedStatus[verdict.kind]}`,
    ]),
  ])
}
