import { ACTOR_EXISTS, actorStatement } from '../../../db/actor-statement.ts'
import { row } from '../../../db/statement.ts'

const renewedIn = (table: 'submissions' | 'shadow_judgings') => `update ${table}
      set renewed_at = now()
      where ${table}.id = :submission_id and ${table}.attempt = :judging
        and ${table}.status = 'PENDING' and ${ACTOR_EXISTS}
      returning ${table}.id`

/**
 * Notes that a worker judges the submission or shadow judging now: recovery counts from this time.
 * Ended: it has a verdict, or this is not its newest judging. No row: neither has this id.
 */
export const renewJudging = actorStatement({
  name: 'renew_judging',
  params: { submission_id: 'uuid', judging: 'integer' },
  row: row<{ outcome: 'renewed' | 'ended' }>(),
  with: `renewed as (
      ${renewedIn('submissions')}
    ), renewed_shadow as (
      ${renewedIn('shadow_judgings')}
    )`,
  select: `
      select case when exists (select from renewed) or exists (select from renewed_shadow) then 'renewed'
                  else 'ended' end as outcome
      from (
        select submissions.id from submissions where submissions.id = :submission_id
        union all
        select shadow_judgings.id from shadow_judgings where shadow_judgings.id = :submission_id
      ) as judged`,
})
