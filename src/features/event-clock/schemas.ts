import Type from 'typebox'
import { Instant, IntegerId, ResponseObject } from '../../http/routing/schema.ts'
import { CONTEST_STATES } from '../access/events.ts'

export const ClockResponse = ResponseObject(
  {
    event_id: IntegerId(),
    now: Instant({ description: 'The present time of the service.' }),
    start_time: Instant(),
    freeze_time: Type.Optional(Instant({ description: 'When the standings freeze, if they do.' })),
    end_time: Instant({ description: 'The first instant after the event.' }),
    own_end_time: Instant({ description: 'The same for the caller, who may have more time than others.' }),
    state: Type.Enum([...CONTEST_STATES], {
      description:
        '`frozen` stays until staff thaws the standings, also after the end. `ended`: nobody may submit any more, not even those who have more time.',
    }),
  },
  { title: 'EventClock' },
)
