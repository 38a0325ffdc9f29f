import type { Static } from 'typebox'
import type { EventResponse, eventCreation } from '../../features/contests/events/schemas.ts'
import { ada, longestWord, python, sumOfTwo, ulla, viktor, wim } from '../examples/example-world.ts'
import {
  leagueProblem,
  participants,
  practiceLeague,
  problemInLeague,
  winterCup,
} from '../examples/example-world-contest.ts'
import type { SomeOperations } from '../operation-docs.ts'

const { id: event_id, start_time, end_time } = practiceLeague
const users = participants.map(({ user }) => user)

/** Hidden test cases are blank for admins. */
const test_cases = problemInLeague.test_cases.map((testCase) =>
  testCase.hidden ? { ...testCase, input: '', expected_output: '' } : testCase,
)

const adminsEvent = {
  ...practiceLeague,
  participants: users,
  problems: [{ ...leagueProblem, problem: { ...problemInLeague, test_cases } }],
}

const springCup = {
  title: 'Spring Cup',
  description: 'Two problems, three hours.',
  start_time: '2099-04-01T18:00:00Z',
  end_time: '2099-04-01T21:00:00Z',
  teams: false,
}

const newEvent: Static<ReturnType<typeof eventCreation>> = {
  ...springCup,
  user_id: ada.id,
  problems: [
    { problem_id: sumOfTwo.id },
    { problem_id: longestWord.id, accept_timeout: 4, execution_timeout: 1, memory_limit: 64 },
  ],
  languages: [python.id],
}

const createdEvent: Static<typeof EventResponse> = {
  id: 3,
  user_id: ada.id,
  ...springCup,
  languages: [python.id],
  problem_count: 2,
  participant_count: 0,
  participants: [],
  problems: [{ id: sumOfTwo.id }, { id: longestWord.id }],
}

const description = 'Open all year; new problems every month.'

export const eventOperations = {
  listPublicEvents: {
    summary: 'List the events',
    description: `All events, past and future ones included; the latest start comes first.
\`participants\` contains only the caller, if they take part; \`participant_count\` has the number.
\`start_time\` and \`end_time\` tell which events are running. \`problems\` has the ids of the
problems (elsewhere \`problem_id\`); it and \`problem_count\` leave out problems that are hidden from
the caller. For users who are not in it, an invited contest has no problems and both counts are 0.`,
    example: { response: [winterCup, { ...practiceLeague, participants: [ulla] }] },
  },
  listEvents: {
    summary: 'List all events',
    description: `For admins. The same list, with hidden problems. \`participants\` contains only the
caller here too.`,
    example: { response: [winterCup, practiceLeague] },
  },
  readPublicEvent: {
    summary: 'Read an event with its participants and the ids of its problems',
    description: `Any event, with all participants in the order in which they joined, and the ids of
its problems (elsewhere \`problem_id\`). Only admins, judges and the event's owner get the ids of
hidden problems. For users who are not in it, an invited contest has no participants and problems,
and both counts are 0. For the problems themselves read \`GET /v1/events/{event_id}/problems\`.`,
    example: { response: { ...practiceLeague, participants: users } },
  },
  readEvent: {
    summary: 'Read an event with its problems and participants',
    description: `For admins. The event with all participants in the order in which they joined, and
with its whole problems, hidden ones included, by their \`position\`. The limits are
the event's, beside \`problem\` and inside it. Hidden test cases are blank:
\`GET /v1/problem_description/{id}/tests\` has their text.`,
    example: { response: adminsEvent },
  },
  readEventByTitle: {
    summary: 'Find the newest event with a title',
    description: `For admins. The event with exactly this title (NFC forms are compared), in the form of
\`GET /v1/events/{event_id}\`. If several events have the title, the response is the newest; if none
has it, 404.`,
    example: { query: { title: practiceLeague.title }, response: adminsEvent },
  },
  createEvent: {
    summary: 'Create an event with its problems',
    description: `For admins. \`title\` and both times are required, and \`end_time\` must be after
\`start_time\` (400). \`teams\` turns on the team routes. Each problem may be named once (400). Its
limits, if given, apply in this event instead of its own. Only admins, judges and the event's owner
see a \`hidden\` problem. \`label\`, \`color\` and \`position\` say how the event shows a problem,
and \`points\` what its full score is; staff may change them later. \`languages\` is stored and returned unchanged, and restricts nothing
without \`enforce_languages\`; with it, the UUID of an unknown language gets 400. An unknown problem
or user gets 404. The other fields are rules of the contest: without them there is no freeze, all
users may take part and read the standings, and all answer questions. The response has the form of
the lists.`,
    example: { body: newEvent, response: createdEvent },
  },
  updateEvent: {
    summary: 'Change an event’s title, description, times, teams or rules',
    description: `For admins. Absent fields stay as they are. Problems and the owner cannot be changed
here: those fields are ignored. \`languages\` is ignored too, unless the event enforces its languages
or the request has \`enforce_languages\`. A new \`start_time\` changes \`minutes_to_solve\`
as well. A new \`end_time\` may reopen an event that has ended. A running event cannot end in the
past: it ends now. If the end of an event that has ended moves, its standings are counted again.
If people may submit again after a thaw or a step of it, the event is frozen again. Rules may change at
any time; null removes one. Another \`freeze_time\` freezes everything again.`,
    example: { body: { description }, response: { ...practiceLeague, description } },
  },
  deleteEvent: {
    summary: 'Delete an event; its submissions stay',
    description: `For admins. The event leaves every list and its routes get 404. Its submissions
stay with their users.`,
  },
  endEvent: {
    summary: 'End an event now',
    description: `For admins. Sets \`end_time\` to now; the request has no body. An event that has
ended keeps its end. Later submissions get 403 \`EVENT_NOT_ACTIVE\`, except those of participants with
\`extra_minutes\`. An event that was ended before its start opens for nobody. Submissions that wait for
a verdict are still judged and count.`,
    example: { response: { ...practiceLeague, end_time: '2026-01-10T12:00:00Z' } },
  },
  readEventClock: {
    summary: 'Read the times and the state of an event by the service’s clock',
    description: `For clients whose clocks are wrong: they show the time until \`own_end_time\` from
\`now\`. From then on the caller cannot submit. While others have more time, \`extra_time\` is true,
and \`state\` is still \`running\`, or \`frozen\` until the thaw. If the event's \`scoreboard\` is \`public\`, the route needs no token; otherwise requests
without one get 401, also for an unknown event.`,
    example: {
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
  registerForEvent: {
    summary: 'Take part in an event',
    description: `The caller takes part from now on; the request has no body. Users may register
before the start, during the event and after its end. After the end they only look back: they are not in
the standings, unless the end moves behind the registration or staff adds them. A second request gets 409
\`ALREADY_REGISTERED\`. In an invited contest, users whom staff has not added get 403
\`NOT_A_PARTICIPANT\`; so do users whom staff has removed, in every contest. A submission to the event
registers its user too, as does joining a team.
Judges have no account and get 404.`,
    example: { response: { message: 'You take part in the event' } },
  },
  listPublicParticipants: {
    summary: 'List the participants of an event',
    description: `In the order in which the participants joined. Deleted users are listed as
\`Deleted user\`. An invited contest gets 404 for users who do not take part, and shows e-mail
addresses to its staff only; the caller sees their own. Here staff finds who has extra time and who is
a tester: hidden participants, and the fields \`extra_minutes\` and \`hidden\`, are for staff.`,
    example: { response: users },
  },
  listParticipants: {
    summary: 'List the participants of an event',
    description: 'For admins. The same list as `GET /v1/public/events/{event_id}/participants`.',
    example: { response: users },
  },
  addParticipant: {
    summary: 'Let a user take part in an event',
    description: `For admins. Lets a user take part. An unknown user gets 404; a user who takes part
already gets 409 \`ALREADY_REGISTERED\`. A user whom staff had removed takes part again, with the
same team, extra minutes and submissions.`,
    example: {
      body: { user_id: wim.id },
      response: { message: 'The user takes part in the event' },
    },
  },
  changeParticipant: {
    summary: 'Invite a participant, give extra time, or hide a tester',
    description: `For the staff of the event; others get 403. A user who does not take part does from
now on, also one who had been removed: send \`{"hidden": false}\` to invite somebody. Fields that
are not sent stay as they are. A user who registered after the end is in the standings from now on.

\`extra_minutes\` is the time after \`end_time\` in which this user may still submit; 0 or null
removes it. More time after a thaw freezes the standings again. A hidden participant, such as a tester, is judged, but is not in the standings, and in lists
and counts for staff only. \`GET /v1/public/events/{event_id}/participants\` shows staff both fields.`,
    example: {
      params: { user_id: viktor.id },
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
    example: { params: { user_id: viktor.id } },
  },
} satisfies SomeOperations
