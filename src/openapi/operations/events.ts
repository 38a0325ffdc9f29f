import type { Static } from 'typebox'
import type { eventRoutes } from '../../features/contests/events/routes.ts'
import type { EventResponse, eventCreation } from '../../features/contests/events/schemas.ts'
import { ada, longestWord, python, sumOfTwo, ulla } from '../examples/example-world.ts'
import {
  leagueProblem,
  participants,
  practiceLeague,
  problemInLeague,
  winterCup,
} from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id

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

const springCup: Static<ReturnType<typeof eventCreation>> = {
  title: 'Spring Cup',
  description: 'Two problems, three hours.',
  start_time: '2099-04-01T18:00:00Z',
  end_time: '2099-04-01T21:00:00Z',
  teams: false,
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
  title: 'Spring Cup',
  description: 'Two problems, three hours.',
  start_time: '2099-04-01T18:00:00Z',
  end_time: '2099-04-01T21:00:00Z',
  teams: false,
  languages: [python.id],
  problem_count: 2,
  participant_count: 0,
  participants: [],
  problems: [{ id: sumOfTwo.id }, { id: longestWord.id }],
}

const description = 'Open all year; new problems every month.'

export const eventOperations: Operations<ReturnType<typeof eventRoutes>[number]> = {
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
    example: {
      params: { event_id },
      response: { ...practiceLeague, participants: users },
    },
  },
  readEvent: {
    summary: 'Read an event with its problems and participants',
    description: `For admins. The event with all participants in the order in which they joined, and
with its whole problems, hidden ones included, by their \`position\`. The limits are
the event's, beside \`problem\` and inside it. Hidden test cases are blank:
\`GET /v1/problem_description/{id}/tests\` has their text.`,
    example: { params: { event_id }, response: adminsEvent },
  },
  readEventByTitle: {
    summary: 'Find the newest event with a title',
    description: `For admins. The event with exactly this title, in the form of
\`GET /v1/events/{event_id}\`. If several events have the title, the response is the newest; if none
has it, 404.`,
    example: { query: { title: practiceLeague.title }, response: adminsEvent },
  },
  createEvent: {
    summary: 'Create an event with its problems',
    description: `For admins. \`title\` and both times are required, and \`end_time\` must be after
\`start_time\` (400). \`teams\` turns on the team routes. Each problem may be named once (400). Its
limits, if given, apply in this event instead of its own. Only admins, judges and the event's owner
see a \`hidden\` problem. \`label\`, \`color\` and \`position\` say how the event shows a problem;
staff may change them later. \`languages\` is stored and returned unchanged, and restricts nothing
without \`enforce_languages\`; with it, the UUID of an unknown language gets 400. An unknown problem
or user gets 404. The other fields are rules of the contest: without them there is no freeze, all
users may take part and read the standings, and all answer questions. The response has the form of
the lists.`,
    example: { body: springCup, response: createdEvent },
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
    example: { params: { event_id }, body: { description }, response: { ...practiceLeague, description } },
  },
  deleteEvent: {
    summary: 'Delete an event; its submissions stay',
    description: `For admins. The event leaves every list and its routes get 404. Its submissions
stay with their users.`,
    example: { params: { event_id } },
  },
  endEvent: {
    summary: 'End an event now',
    description: `For admins. Sets \`end_time\` to now; the request has no body. An event that has
ended keeps its end. Later submissions get 403 \`EVENT_NOT_ACTIVE\`, except those of participants with
\`extra_minutes\`. An event that was ended before its start opens for nobody. Submissions that wait for
a verdict are still judged and count.`,
    example: { params: { event_id }, response: { ...practiceLeague, end_time: '2026-01-10T12:00:00Z' } },
  },
}
