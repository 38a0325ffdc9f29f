import type { Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'
import type { Worker } from './worker.ts'

/** The items of decisions with the verdict of their shadow judging. */
export const ITEMS = `rejudging_items as items
  join rejudging_decisions as decision on decision.id = items.decision_id
  join shadow_judgings as shadows on shadows.id = items.shadow_judging_id`

/** SQL condition: the verdict of an item was applied. */
export const IS_APPLIED = `(decision.state = 'APPLIED' and items.outcome = 'CHANGED')`

type Applied = { id: string; judging: number; status: string; time_elapsed: number; delivery: string }

const APPLIED = `
  select items.submission_id::text as id, items.attempt + 1 as judging, shadows.status, shadows.time_elapsed,
         shadows.id || ' ' || shadows.verdict_attempt as delivery
  from ${ITEMS}
  where ${IS_APPLIED}`

/** What a worker sent, with the verdicts that rejudgings gave to submissions. */
export async function withApplied(
  db: Queryable,
  { kind, verdicts, deliveries }: Pick<Worker, 'kind' | 'verdicts' | 'deliveries'>,
) {
  const all = { kind, verdicts: new Map(verdicts), deliveries: new Map(deliveries) }
  for (const { delivery, ...verdict } of await ask<Applied>(db, APPLIED)) {
    all.verdicts.set(verdict.id, [...(all.verdicts.get(verdict.id) ?? []), verdict])
    const times = deliveries.get(delivery)
    if (times !== undefined) all.deliveries.set(`${verdict.id} ${verdict.judging}`, times)
  }
  return all
}
