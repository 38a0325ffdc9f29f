import Type from 'typebox'
import { Instant, IntegerId, ResponseObject } from '../../../http/routing/schema.ts'
import { CONTEST_STATES } from '../../shared/access/contest-times.ts'

/** What a clock shows to everybody, besides the state of the event. */
export const clockFields = {
  event_id: IntegerId(),
  now: Instant({ description: 'The present time of the service.' }),
  start_time: Instant(),
  freeze_time: Type.Optional(Instant({ description: 'When the standings freeze, if they do.' })),
  end_time: Instant({ description: 'The first instant after the event.' }),
  // Tells neither who has extra time nor how much (P21).
  extra_time: Type.Optional(
    Type.Literal(true, {
      description:
        'Present from `end_time` until the end of the participant with the most time, also in a frozen event: somebody may still submit.',
    }),
  ),
}

export const ClockResponse = ResponseObject(
  {
    ...clockFields,
    own_end_time: Instant({
      description:
        'The same for the caller: `end_time` with their extra time. Without extra time, without a token, and for users who do not take part it is `end_time`. It stays after the end.',
    }),
    state: Type.Enum([...CONTEST_STATES], {
      description:
        '`running` until the end of the participant with the most time, also for callers whose own end has passed. `frozen` stays until staff thaws the standings, also after the end. `ended`: nobody may submit any more.',
    }),
  },
  { title: 'EventClock' },
)
