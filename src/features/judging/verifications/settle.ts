import { wallTimeOf } from '@judge-data-layer/problem-format/times'
import type { Queryable } from '../../../db/database.ts'
import type { Plan } from './plan.ts'
import { computeLimit, type Results } from './report.ts'
import { findAllJudged, findJudged, type JudgingRow, listJudgingResults, settle } from './sql.ts'

/** The results of a verification's judgings. */
export async function readResults(
  db: Queryable,
  verification_id: string,
  { programs, validators, case_names }: Plan,
): Promise<Results> {
  const needing = programs.filter(({ rules }) => rules.some(({ message }) => message !== undefined))
  const idsOf = (planned: readonly { readonly judging?: string }[]) =>
    planned.flatMap(({ judging }) => judging ?? [])
  const rows = await db.query(listJudgingResults, {
    ...{ verification_id, validators: idsOf(validators), with_messages: idsOf(needing) },
  })
  return new Map(rows.map((result) => [result.id, nameCases(result, case_names)]))
}

/** The plan's names: the test cases may have changed since. */
function nameCases({ cases, rejected, ...result }: JudgingRow, names: Plan['case_names']): JudgingRow {
  const nameOf = (id: string) => names[id] ?? id
  return {
    ...result,
    cases: cases?.map((one) => ({ ...one, name: nameOf(one.name) })) ?? null,
    rejected: rejected?.map((one) => ({ ...one, test_case: nameOf(one.test_case) })) ?? null,
  }
}

/**
 * If this was the last verdict of a verification, and the problem's time limit is provisional, sets
 * the computed one. It may be called again at any time.
 */
export async function settleVerification(db: Queryable, verification_id: string): Promise<void> {
  const [judged] = await db.query(findJudged, { verification_id })
  if (judged === undefined) return
  const { plan } = judged
  const computed = plan.limit.provisional
    ? computeLimit(plan, await readResults(db, verification_id, plan)).computed
    : undefined
  await db.query(settle, {
    verification_id,
    execution_timeout: computed,
    accept_timeout: computed === undefined ? undefined : wallTimeOf(computed),
  })
}

/**
 * Settles verifications after a crash, or after the deletion of their last pending judging. Throws
 * the first error at the end: one that cannot be settled does not keep the others waiting.
 */
export async function settleVerifications(db: Queryable): Promise<void> {
  const failures: unknown[] = []
  for (const { id } of await db.query(findAllJudged))
    await settleVerification(db, id).catch((err: unknown) => failures.push(err))
  if (failures.length > 0) throw failures[0]
}
