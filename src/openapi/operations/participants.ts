import type { participantRoutes } from '../../features/participants/routes.ts'
import { wim } from '../examples/example-world.ts'
import { participants, practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id
const users = participants.map(({ user }) => user)

export const participantOperations: Operations<ReturnType<typeof participantRoutes>[number]> = {
  registerForEvent: {
    summary: 'Take part in an event, also after its end to look back',
    description: `The caller takes part from now on; there is no body. It may be done before the start, and after the end to look back. Twice is 409
\`ALREADY_REGISTERED\`. A submission to the event, or a team in it, registers as well. A judge has no account to take
part with (404).`,
    example: { params: { event_id }, response: { message: 'You take part in the event' } },
  },
  listPublicParticipants: {
    summary: 'List the participants of an event',
    description:
      'Anybody with a token, in the order in which they joined. Users who were deleted since are there as `Deleted user`.',
    example: { params: { event_id }, response: users },
  },
  listParticipants: {
    summary: 'List the participants of an event',
    description: 'For admins: the same list as `GET /v1/public/events/{event_id}/participants`.',
    example: { params: { event_id }, response: users },
  },
  addParticipant: {
    summary: 'Let a user take part in an event',
    description:
      'For admins: lets a user take part who need not ask for it. An unknown user is 404, one who takes part already 409 `ALREADY_REGISTERED`.',
    example: {
      params: { event_id },
      body: { user_id: wim.id },
      response: { message: 'The user takes part in the event' },
    },
  },
}
