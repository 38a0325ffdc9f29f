import type { Queryable } from '../../src/db/database.ts'
import { ask } from '../local-servers/database.ts'
import type { SentVerdict } from './worker.ts'

type Verdict = Omit<SentVerdict, 'id'>

/** A submission or shadow judging. */
export type StoredSubmission = Verdict & {
  id: string
  marker: string
  /** The newest judging. `judging` belongs to the stored verdict. */
  newest: number
  is_judged: boolean
  /** The replaced verdicts. */
  history: Verdict[]
}

const SUBMISSIONS = `
  select submissions.id::text,
         substring(submissions.source_code from '^// (\\S+)') as marker,
         submissions.status,
         submissions.time_elapsed,
         submissions.attempt as newest,
         submissions.verdict_attempt as judging,
         submissions.judged_at is not null as is_judged,
         (
           select coalesce(json_agg(json_build_object(
                    'judging', verdicts.attempt, 'status', verdicts.status, 'time_elapsed', verdicts.time_elapsed)), '[]')
           from verdicts
           where verdicts.submission_id = submissions.id
         ) as history
  from submissions`

const SHADOWS = `
  select shadow_judgings.id::text,
         substring(shadow_judgings.source_code from '^// (\\S+)') as marker,
         shadow_judgings.status,
         shadow_judgings.time_elapsed,
         shadow_judgings.attempt as newest,
         shadow_judgings.verdict_attempt as judging,
         shadow_judgings.judged_at is not null as is_judged
  from shadow_judgings`

/** Reads all submissions. */
export const readSubmissions = (db: Queryable): Promise<StoredSubmission[]> =>
  ask<StoredSubmission>(db, SUBMISSIONS)

/** Reads the shadow judgings in the form of submissions. The service keeps no replaced verdicts. */
export async function readShadows(db: Queryable): Promise<StoredSubmission[]> {
  const stored = await ask<Omit<StoredSubmission, 'history'>>(db, SHADOWS)
  return stored.map((shadow) => ({ ...shadow, history: [] }))
}
