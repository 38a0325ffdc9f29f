import { wim } from '../examples/example-world.ts'
import { participants, practiceLeague } from '../examples/example-world-contest.ts'
import type { RouteDocs } from '../route-docs.ts'

const event_id = practiceLeague.id
const users = participants.map(({ user }) => user)

/** Words and examples for the OpenAPI document. */
export const participantDocs = {
  registerForEvent: {
    description: `The caller takes part from now on; there is no body. It may be done before the start, and after the end to look back. Twice is 409
\`ALREADY_REGISTERED\`. A submission to the event, or a team in it, registers as well. A judge has no account to take
part with (404).`,
    example: { params: { event_id }, answer: { message: 'You take part in the event' } },
  },
  listPublicParticipants: {
    description:
      'Anybody with a token, in the order in which they joined. Users who were deleted since are there as `Deleted user`.',
    example: { params: { event_id }, answer: users },
  },
  listParticipants: {
    description: 'For admins: the same list as `GET /v1/public/events/{event_id}/participants`.',
    example: { params: { event_id }, answer: users },
  },
  addParticipant: {
    description:
      'For admins: lets a user take part who need not ask for it. An unknown user is 404, one who takes part already 409 `ALREADY_REGISTERED`.',
    example: {
      params: { event_id },
      body: { user_id: wim.id },
      answer: { message: 'The user takes part in the event' },
    },
  },
} satisfies Record<string, RouteDocs>
