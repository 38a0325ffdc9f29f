import type { ListOwner, ListRefusal } from '../../../lists/definition.ts'
import {
  EVENT,
  managesEvent,
  seesAllOf,
  seesLive,
  takesPartIn,
  WATCHED_EVENT,
} from '../../shared/access/events.ts'

/** Whom the rows of the standings rank. */
export type RankedBy = 'user' | 'team'

const ofEvent = (expression: string) => `(
      select ${expression} from events where events.id = :event_id)`

/** SQL condition: the contest is frozen, and the actor sees the standings as they are (P23). */
export const IS_LIVE = ofEvent(
  `events.freeze_time is not null and events.thawed_at is null and ${seesLive('events')}`,
)

/**
 * Those who see hidden problems, and the others; each where frozen submissions are shown or not.
 */
export const AUDIENCE_OF_STANDINGS = `concat_ws(' ', ${ofEvent(
  `case when ${seesAllOf('events')} then 'all' else 'shown' end`,
)}, case when ${IS_LIVE} then 'live' end)`

/** What the readers of an audience of `AUDIENCE_OF_STANDINGS` see. */
export const readAttemptsAudience = (audience: string) => ({
  seesHidden: audience.startsWith('all'),
  is_live: audience.endsWith('live'),
})

const isForParticipants = `events.scoreboard = 'participants' and :actor_role <> 1
          and not ${managesEvent('events')} and not ${takesPartIn('events')}`

const NOT_A_PARTICIPANT = 'Only participants may read the standings of this contest'

/** The numbers behind the standings: the rule `scoreboard` may leave out some users (P22). */
export const ATTEMPTS_OWNER: ListOwner = {
  ...EVENT,
  refusal: {
    kind: ofEvent(`case when ${isForParticipants} then 'NOT_A_PARTICIPANT' end`),
    messages: { NOT_A_PARTICIPANT },
  },
}

/** The standings: public ones need no token (P22). */
export const standingsOwner = (by: RankedBy): ListOwner => ({
  ...WATCHED_EVENT,
  refusal: standingsRefusal(by, isForParticipants),
})

/** Refuses callers if the SQL condition `isClosed` holds, and `by` teams without teams. */
export const standingsRefusal = (by: RankedBy, isClosed: string): ListRefusal => ({
  kind: ofEvent(`case
        when ${isClosed} then 'NOT_A_PARTICIPANT'
        when ${by === 'team' ? 'not events.teams' : 'false'} then 'VALIDATION' end`),
  messages: { NOT_A_PARTICIPANT, VALIDATION: 'by must be user: the event has no teams' },
})
