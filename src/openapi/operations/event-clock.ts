import type { eventClockRoutes } from '../../features/contests/events/clock-routes.ts'
import { practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const { id: event_id, start_time, end_time } = practiceLeague

export const eventClockOperations: Operations<ReturnType<typeof eventClockRoutes>[number]> = {
  readEventClock: {
    summary: 'Read the times and the state of an event by the service’s clock',
    description: `For clients whose clocks are wrong: they show the time until \`own_end_time\` from
\`now\`. From then on the caller cannot submit. While others have more time, \`extra_time\` is true,
and \`state\` is still \`running\`, or \`frozen\` until the thaw. If the event's \`scoreboard\` is \`public\`, the route needs no token; otherwise requests
without one get 401, also for an unknown event.`,
    example: {
      params: { event_id },
      response: {
        event_id,
        now: '2026-01-10T09:31:04.21775Z',
        start_time,
        end_time,
        own_end_time: end_time,
        state: 'running',
      },
    },
  },
}
