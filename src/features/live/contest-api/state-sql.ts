import { lastEnd } from '../../shared/access/contest-times.ts'
import { defineCollection } from './collection.ts'
import { timeOf } from './times.ts'
import { CONTEST } from './visibility.ts'

/** When the standings froze; null before. */
const FROZEN = `case when contest.has_started and contest.freeze_time <= now()
                       then greatest(contest.freeze_time, contest.start_time) end`

/**
 * The state of `contest` as JSON, with nulls. It has ended when nobody may submit any more (P20).
 * The service never declares results final: a rejudging may always follow.
 */
export const stateJson = `json_build_object(
      'started', case when contest.has_started then ${timeOf('contest.start_time')} end,
      'frozen', ${timeOf(FROZEN)},
      'ended', case when contest.has_started and ${lastEnd('contest')} <= now() then ${timeOf(lastEnd('contest'))} end,
      'thawed', case when ${FROZEN} is not null then ${timeOf('contest.thawed_at')} end)`

export const state = defineCollection({
  type: 'state',
  with: CONTEST,
  id: 'null::text',
  item: stateJson,
  from: 'contest',
  where: 'true',
  key: 'contest.id',
  keyType: 'integer',
  order: 'contest.id',
})
