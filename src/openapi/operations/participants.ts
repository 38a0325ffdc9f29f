import type { participantRoutes } from '../../features/participants/routes.ts'
import { wim } from '../examples/example-world.ts'
import { participants, practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id
const users = participants.map(({ user }) => user)

export const participantOperations: Operations<ReturnType<typeof participantRoutes>[number]> = {
  registerForEvent: {
    summary: 'Take part in an event',
    description: `The caller takes part from now on; the request has no body. Users may register
before the start, during the event and after its end. A second request gets 409
\`ALREADY_REGISTERED\`. A submission to the event registers its user too, as does joining a team.
Judges have no account and get 404.`,
    example: { params: { event_id }, response: { message: 'You take part in the event' } },
  },
  listPublicParticipants: {
    summary: 'List the participants of an event',
    description: `For any user, in the order in which the participants joined. Deleted users are
listed as \`Deleted user\`.`,
    example: { params: { event_id }, response: users },
  },
  listParticipants: {
    summary: 'List the participants of an event',
    description: 'For admins. The same list as `GET /v1/public/events/{event_id}/participants`.',
    example: { params: { event_id }, response: users },
  },
  addParticipant: {
    summary: 'Let a user take part in an event',
    description: `For admins. Lets a user take part. An unknown user gets 404; a user who takes part
already gets 409 \`ALREADY_REGISTERED\`.`,
    example: {
      params: { event_id },
      body: { user_id: wim.id },
      response: { message: 'The user takes part in the event' },
    },
  },
}
