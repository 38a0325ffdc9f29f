import type { eventProblemRoutes } from '../../features/event-problems/routes.ts'
import { longestWord, sampleCase, sumOfTwo } from '../examples/example-world.ts'
import { leagueProblem, practiceLeague, shownLeagueProblem } from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id

export const eventProblemOperations: Operations<ReturnType<typeof eventProblemRoutes>[number]> = {
  listEventProblems: {
    summary: 'List the problems of an event; before its start in brief',
    description: `In the order in which they were added. Admins, judges and the event's owner see every problem with its limits and text. Others see none that is hidden; the
text comes once the event has started, if the problem is public or theirs or they take part, and until then \`problem\` has only \`id\`, \`title\` and
\`difficulty\` and there are no limits. The limits beside \`problem\` are those of the event.`,
    example: { params: { event_id }, response: [shownLeagueProblem] },
  },
  readEventProblem: {
    summary: 'Read one problem of an event with its public test cases',
    description: `One problem by its \`id\` in the event, which is not its \`problem_id\`, with its public test cases only. Before the start it is 403
\`EVENT_NOT_STARTED\` to all but admins, judges and the event's owner. A hidden problem is 404 to others;
so is a private one to a caller who neither wrote it nor takes part.`,
    example: {
      params: { event_id, event_problem_id: leagueProblem.id },
      response: { ...leagueProblem, problem: { ...sumOfTwo, test_cases: [sampleCase] } },
    },
  },
  addEventProblem: {
    summary: 'Add a problem that the caller may see to an event',
    description: `Any user, but only with a problem that they may see by itself: a public one or their own, and any for admins (else 404). It comes last, not hidden and
with its own limits. A problem that is there already is 409 \`ALREADY_IN_EVENT\`.`,
    example: {
      params: { event_id },
      body: { problem_id: longestWord.id },
      response: { id: 2, event_id, problem_id: longestWord.id, hidden: false },
    },
  },
}
