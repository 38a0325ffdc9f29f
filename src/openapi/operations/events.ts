import type { Static } from 'typebox'
import type { eventRoutes } from '../../features/events/routes.ts'
import type { EventResponse, eventCreation } from '../../features/events/schemas.ts'
import { ada, longestWord, python, sumOfTwo, ulla } from '../examples/example-world.ts'
import { leagueProblem, participants, practiceLeague } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id

const fullEvent = { ...practiceLeague, problems: [{ ...leagueProblem, problem: sumOfTwo }] }

/** Admins read a problem with its hidden test cases blank, also here. */
const adminsEvent = {
  ...fullEvent,
  problems: fullEvent.problems.map(({ problem, ...rest }) => ({
    ...rest,
    problem: {
      ...problem,
      test_cases: problem.test_cases.map((testCase) =>
        testCase.hidden ? { ...testCase, input: '', expected_output: '' } : testCase,
      ),
    },
  })),
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
  id: 2,
  user_id: ada.id,
  title: 'Spring Cup',
  description: 'Two problems, three hours.',
  start_time: '2099-04-01T18:00:00Z',
  end_time: '2099-04-01T21:00:00Z',
  teams: false,
  languages: [python.id],
  problem_count: 2,
  participant_count: 0,
}

const description = 'Open all year; new problems every month.'

export const eventOperations: Operations<ReturnType<typeof eventRoutes>[number]> = {
  listPublicEvents: {
    summary: 'List the events',
    description: `All events, past and coming ones included, the latest to start first. \`participants\` holds only the caller, if they take part: use
\`participant_count\` for the number, and \`start_time\` and \`end_time\` to tell what is running. Problems that are hidden from the caller do not count.`,
    example: { response: [{ ...practiceLeague, participants: [ulla] }] },
  },
  listEvents: {
    summary: 'List all events',
    description:
      'For admins: the same list, with hidden problems counted. Of the `participants` it holds only the caller, too.',
    example: { response: [{ ...practiceLeague, participants: [] }] },
  },
  readPublicEvent: {
    summary: 'Read an event with its participants and the ids of its problems',
    description: `Any event, with all its participants in the order in which they joined, and its problems as their ids (\`problem_id\` elsewhere). Hidden problems are
there for admins, judges and the event's owner only. For more of a problem read \`GET /v1/events/{event_id}/problems\`.`,
    example: {
      params: { event_id },
      response: {
        ...practiceLeague,
        participants: participants.map(({ user }) => user),
        problems: [{ id: sumOfTwo.id }],
      },
    },
  },
  readEvent: {
    summary: 'Read an event with its problems',
    description: `For admins: the event with its problems whole, the hidden ones too, in the order in which they were added. The limits beside \`problem\` hold in the
event; those within it are the problem's own. Hidden test cases are blank, as everywhere but in \`GET /v1/problem_description/{id}/tests\`.`,
    example: { params: { event_id }, response: adminsEvent },
  },
  readEventByTitle: {
    summary: 'Find the newest event of a title, with its problems',
    description:
      'For admins: the event of exactly this title, as `GET /v1/events/{event_id}` answers it. Titles may repeat; the newest event of one is answered, and 404 where there is none.',
    example: { query: { title: practiceLeague.title }, response: adminsEvent },
  },
  createEvent: {
    summary: 'Create an event with its problems',
    description: `For admins. \`title\` and both times are required, and \`end_time\` is after \`start_time\` (400). \`teams\` opens the team routes. A problem is named
once (400); the limits that it is given hold in this event in place of its own, and a \`hidden\` one is shown to nobody but admins, judges and the owner.
\`languages\` is kept and answered as it is sent, and restricts nothing. An unknown problem or user is 404.`,
    example: { body: springCup, response: createdEvent },
  },
  updateEvent: {
    summary: 'Change an event’s title, description, times or teams',
    description: `For admins; what is left out stays as it is. Problems, languages and the owner are not changed here, whatever is sent. A new \`start_time\` moves
\`minutes_to_solve\` with it; a new \`end_time\` may also open an event again that has ended.`,
    example: {
      params: { event_id },
      body: { description },
      response: { ...practiceLeague, description },
    },
  },
  deleteEvent: {
    summary: 'Delete an event; its submissions stay',
    description:
      'For admins. The event is gone from every list and its routes are 404; submissions to it stay with their users.',
    example: { params: { event_id } },
  },
  endEvent: {
    summary: 'End an event now',
    description: `For admins. Sets \`end_time\` to now and takes no body; an event that has ended keeps its end. Submissions that come after the answer are 403
\`EVENT_NOT_ACTIVE\`; those that wait for a verdict are still judged and count.`,
    example: { params: { event_id }, response: { ...practiceLeague, end_time: '2026-01-10T12:00:00Z' } },
  },
}
