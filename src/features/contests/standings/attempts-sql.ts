import { defineList } from '../../../lists/definition.ts'
import { ascending } from '../../../lists/order.ts'
import { IS_KEPT, type RowsDefinition } from '../../../lists/rows.ts'
import { changesOf, changesOfStandings } from '../../../lists/version.ts'
import { ownEnd } from '../../shared/access/contest-times.ts'
import { EVENT, PROBLEM_ORDER, seesAllOf } from '../../shared/access/events.ts'
import { CHANGED_USERS } from './rows-sql.ts'
import { ATTEMPTS_OWNER, AUDIENCE_OF_STANDINGS, IS_LIVE, shownOf } from './shown.ts'

const itemAt = (item: string, attempts: string, acceptedTime: string) => `case
        when event_scores.item_start_time = events.start_time then event_scores.${item}
        else score_item(event_scores.user_id, event_scores.problem_id, event_scores.${attempts},
               event_scores.total_attempts, event_scores.${acceptedTime}, events.start_time) end`

const ITEM = shownOf(
  itemAt('item', 'attempts', 'first_accepted_time'),
  itemAt('shown_item', 'shown_attempts', 'shown_accepted_time'),
)

const FROM = `event_scores
      join events on events.id = event_scores.event_id`

const WHERE = `event_scores.event_id = :event_id and event_scores.total_attempts > 0
        and event_scores.problem_id <> all (array(
          select event_problems.problem_id
          from event_problems
          join events as its on its.id = event_problems.event_id
          where its.id = :event_id and event_problems.hidden and not ${seesAllOf('its')}))`

/** The items of users, each user's as a text. */
const itemsOf = (and: string) => `
          select event_scores.user_id as id, string_agg((${ITEM})::text, ',' order by event_scores.problem_id) as text
          from ${FROM}
          where ${WHERE} and ${and}
          group by event_scores.user_id`

/** The list in rows: one for each user. */
const ROWS: RowsDefinition = {
  table: 'event_scores',
  basis: `${changesOf('events')}, ${AUDIENCE_OF_STANDINGS}`,
  listed: `changed as materialized (${CHANGED_USERS}
    ), listed as (
      select items.id, '' as rank, items.id as place, items.text
      from (${itemsOf(`not ${IS_KEPT}`)}) as items
      union all
      select changed.user_id, '', changed.user_id, items.text
      from changed
      left join lateral (${itemsOf('event_scores.user_id = changed.user_id')}) as items on true
    )`,
  head: `'['`,
  tail: ']',
  prefix: () => '',
}

/**
 * The cells of the standings, without problems hidden from the actor (D33); reads no submission
 * (D35). A cell's JSON is precomputed for one start of its event: building it doubled the time.
 */
export const listAttempts = defineList({
  name: 'list_attempts',
  params: { event_id: 'integer' },
  item: ITEM,
  from: FROM,
  where: WHERE,
  order: ascending(
    { column: 'event_scores.user_id', type: 'uuid' },
    { column: 'event_scores.problem_id', type: 'integer' },
  ),
  owner: ATTEMPTS_OWNER,
  version: { changes: changesOfStandings(IS_LIVE, 'events'), audience: AUDIENCE_OF_STANDINGS },
  rows: ROWS,
})

/** The caller's status of each tried problem: an accepted submission, else the latest (D35). */
export const listOwnProblemStatus = defineList({
  name: 'list_own_problem_status',
  isShort: true,
  params: { event_id: 'integer' },
  item: `json_build_object(
      'problem_id', event_scores.problem_id,
      'status', shown.status,
      'submit_time', utc(timestamptz 'epoch' + shown.submitted * interval '1 microsecond'))`,
  from: `event_scores
      join events on events.id = event_scores.event_id
      cross join lateral (
        select outcome.value ->> 1 as status, (outcome.value ->> 0)::bigint as submitted
        from jsonb_each(event_scores.outcomes) as outcome (submission_id, value)
        where (outcome.value ->> 0)::bigint < microseconds(${ownEnd('events')})
        order by outcome.value ->> 1 = 'ACCEPTED' desc, (outcome.value ->> 0)::bigint desc
        limit 1
      ) as shown`,
  where: 'event_scores.event_id = :event_id and event_scores.user_id = :actor',
  order: ascending({ column: 'event_scores.problem_id', type: 'integer' }),
  owner: EVENT,
})

/** Counts the people of a problem if the condition holds. As it is, reads only an index. */
const countPeople = (acceptedTime: string, condition: string) => `
        select count(${acceptedTime}) as accepted, count(*) as attempted
        from event_scores
        where event_scores.event_id = event_problems.event_id and event_scores.problem_id = event_problems.problem_id
          and event_scores.total_attempts > 0
        having ${condition}`

const SHOWN_ACCEPTED_TIME = `case
          when event_scores.frozen_from is null then event_scores.first_accepted_time
          else event_scores.shown_accepted_time end`

/** How many users tried and how many solved each problem of an event (D35). */
export const listProblemStats = defineList({
  name: 'list_problem_stats',
  params: { event_id: 'integer' },
  item: `json_build_object(
      'problem_id', event_problems.problem_id,
      'accepted_count', counted.accepted,
      'attempted_count', counted.attempted)`,
  from: `event_problems
      join events on events.id = event_problems.event_id
      join problems on problems.id = event_problems.problem_id and problems.deleted_at is null
      cross join lateral (${countPeople('event_scores.first_accepted_time', `(events.freeze_time is null or ${IS_LIVE})`)}
        union all${countPeople(SHOWN_ACCEPTED_TIME, `not (events.freeze_time is null or ${IS_LIVE})`)}
      ) as counted`,
  where: `event_problems.event_id = :event_id
        and (not event_problems.hidden or ${seesAllOf('events')})`,
  order: ascending(...PROBLEM_ORDER),
  owner: ATTEMPTS_OWNER,
  version: { changes: changesOfStandings(IS_LIVE, 'events', 'problems'), audience: AUDIENCE_OF_STANDINGS },
})
