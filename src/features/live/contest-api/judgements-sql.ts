import { hasPoints, scoreInContest } from '../../contests/standings/ranks.ts'
import { finestStatus } from '../../shared/records/verdicts.ts'
import { defineCollection } from './collection.ts'
import { judgementId, submissionOfJudgement } from './ids.ts'
import { judgementTypeOf } from './judgement-types.ts'
import { SHOWN_SUBMISSIONS, WITH_PROBLEMS } from './submissions-sql.ts'
import { contestTimeOf, measuredSeconds, timeOf } from './times.ts'
import { isWithheld } from './visibility.ts'

const verdict = (table: string, place: string, isCurrent: boolean, more: string) => `
            select ${place} as place, ${isCurrent} as is_current, ${finestStatus(table)} as status, ${table}.score,
                   ${table}.time_elapsed, ${table}.queued_at, ${table}.judged_at${more}`

/**
 * The completed judgings of a row of `submissions`, as `verdict`. Their places count from the
 * oldest: later verdicts do not change them. `more`: further columns of `submissions` and
 * `verdicts`.
 */
export const verdictsOf = (more: readonly string[] = []) => {
  const columns = (table: string) => more.map((column) => `, ${table}.${column}`).join('')
  return `(
          select given.*, least(given.queued_at, coalesce(given.judged_at, given.queued_at)) as started_at,
                 coalesce(given.judged_at, given.queued_at) as ended_at
          from (${verdict(
            'submissions',
            `(select count(*) from verdicts where verdicts.submission_id = submissions.id) + 1`,
            true,
            columns('submissions'),
          )}
            where submissions.status <> 'PENDING'
            union all${verdict('kept', `row_number() over (order by kept.id)`, false, columns('kept'))}
            from verdicts as kept
            where kept.submission_id = submissions.id
          ) as given
        )`
}

/** The present verdicts and the earlier ones, without those that the freeze withholds (P23). */
export const listJudgements = defineCollection({
  type: 'judgements',
  id: judgementId('submissions.id', 'verdict.place'),
  item: `json_build_object(
          'id', ${judgementId('submissions.id', 'verdict.place')},
          'submission_id', submissions.id,
          'judgement_type_id', ${judgementTypeOf('verdict.status')},
          'score', case when ${hasPoints('contest')} then trim_scale(${scoreInContest('verdict', 'shown_problems')}) end,
          'current', verdict.is_current,
          'start_time', ${timeOf('verdict.started_at')},
          'start_contest_time', ${contestTimeOf('verdict.started_at')},
          'end_time', ${timeOf('verdict.ended_at')},
          'end_contest_time', ${contestTimeOf('verdict.ended_at')},
          'max_run_time', ${measuredSeconds('verdict.time_elapsed')})`,
  with: WITH_PROBLEMS,
  from: (hasKey) => `${SHOWN_SUBMISSIONS.from(hasKey)}
        cross join lateral ${verdictsOf()} as verdict`,
  where: `${SHOWN_SUBMISSIONS.where} and not ${isWithheld('submissions')}`,
  key: 'submissions.id',
  keyType: 'uuid',
  keyOf: submissionOfJudgement,
  keyFilter: { name: 'submission_id', keyOf: (id) => id },
  order: 'verdict.ended_at, submissions.id, verdict.place',
})
