import type { participantRoutes } from '../../features/contests/participants/routes.ts'
import { viktor, wim } from '../examples/example-world.ts'
import { participants, practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id
const users = participants.map(({ user }) => user)

export const participantOperations: Operations<ReturnType<typeof participantRoutes>[number]> = {
  registerForEvent: {
    summary: 'Take part in an event',
    description: `The caller takes part from now on; the request has no body. Users may register
before the start, during the event and after its end. A second request gets 409
\`ALREADY_REGISTERED\`. In an invited contest, users whom staff has not added get 403
\`NOT_A_PARTICIPANT\`; so do users whom staff has removed, in every contest. A submission to the event
registers its user too, as does joining a team.
Judges have no account and get 404.`,
    example: { params: { event_id }, response: { message: 'You take part in the event' } },
  },
  listPublicParticipants: {
    summary: 'List the participants of an event',
    description: `In the order in which the participants joined. Deleted users are listed as
\`Deleted user\`. An invited contest gets 404 for users who do not take part, and shows e-mail
addresses to its staff only; the caller sees their own. Here staff finds who has extra time and who is
a tester: hidden participants, and the fields \`extra_minutes\` and \`hidden\`, are for staff.`,
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
already gets 409 \`ALREADY_REGISTERED\`. A user whom staff had removed takes part again, with the
same team, extra minutes and submissions.`,
    example: {
      params: { event_id },
      body: { user_id: wim.id },
      response: { message: 'The user takes part in the event' },
    },
  },
  changeParticipant: {
    summary: 'Invite a participant, give extra time, or hide a tester',
    description: `For the staff of the event; others get 403. A user who does not take part does from
now on, also one who had been removed: send \`{"hidden": false}\` to invite somebody. Fields that
are not sent stay as they are.

\`extra_minutes\` is the time after \`end_time\` in which this user may still submit; 0 or null
removes it. More time after a thaw freezes the standings again. A hidden participant, such as a tester, is judged, but is not in the standings, and in lists
and counts for staff only. \`GET /v1/public/events/{event_id}/participants\` shows staff both fields.`,
    example: {
      params: { event_id, user_id: viktor.id },
      body: { extra_minutes: 30 },
      response: { ...viktor, extra_minutes: 30 },
    },
  },
  removeParticipant: {
    summary: 'Remove a participant',
    description: `For the staff of the event; others get 403. The submissions are kept, but they are not
in the standings. The user is no longer listed or notified, and gets 403 \`NOT_A_PARTICIPANT\` on
registering, submitting and joining a team, until staff adds them again. No submission is accepted
after the response.`,
    example: { params: { event_id, user_id: viktor.id } },
  },
}
