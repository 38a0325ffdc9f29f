import { longestWord, sampleCase } from '../examples/example-world.ts'
import {
  leagueProblem,
  practiceLeague,
  problemInLeague,
  shownLeagueProblem,
} from '../examples/example-world-contest.ts'
import type { SomeOperations } from '../operation-docs.ts'

const event_id = practiceLeague.id

export const eventProblemOperations = {
  listEventProblems: {
    summary: 'List the problems of an event; in brief before its start',
    description: `By their \`position\`; problems without one follow in the order in which they were
added. Admins, judges and the event's owner see every problem with its limits and text. Other users do
not see hidden problems. They see the limits and the text once the event has started, if the problem
is public or their own or if they take part.
Until then \`problem\` has only \`id\`, \`title\`, \`difficulty\`, \`upload_date\` and
\`updated_at\`, and an empty \`prompt\`. All limits are the event's.`,
    example: { response: [shownLeagueProblem] },
  },
  readEventProblem: {
    summary: 'Read one problem of an event with its public test cases',
    description: `One problem with its public test cases. The path has the problem's \`id\` in the
event, which is not its \`problem_id\`. Before the start, users other than admins, judges and the
event's owner get 403 \`EVENT_NOT_STARTED\`. They get 404 for a hidden problem, and for a private
problem unless they wrote it or take part.`,
    example: {
      params: { event_problem_id: leagueProblem.id },
      response: { ...leagueProblem, problem: { ...problemInLeague, test_cases: [sampleCase] } },
    },
  },
  addEventProblem: {
    summary: 'Add a problem that the caller may see to an event',
    description: `For any user, with a problem that they may see by itself: a public problem, their
own, or any problem for admins (else 404). In an invited contest only its staff may add problems
(403). So it is in every contest for a problem that was removed with its submissions. The
staff of the event may add settings, the same as in \`PUT\`; others who send one get 403. Without
settings the problem comes last, is not hidden and keeps its own limits. A problem that is in the
event already gets 409 \`ALREADY_IN_EVENT\`, and keeps its settings.`,
    example: {
      body: { problem_id: longestWord.id, label: 'B', hidden: true },
      response: { id: 2, event_id, problem_id: longestWord.id, hidden: true },
    },
  },
  updateEventProblem: {
    summary: 'Change how an event shows and limits a problem',
    description: `For the staff of the event: admins, its owner and the users in \`staff\`; others get
403. Absent fields stay as they are. Null removes \`label\`, \`color\`, \`position\` and \`points\`, and
for a limit it restores the problem's own. A change of \`points\` counts the standings again. A \`hidden\` problem is listed only for admins, judges and the event's
owner: other staff must keep its id to show it again.`,
    example: {
      params: { event_problem_id: leagueProblem.id },
      body: { label: 'A', color: '#d00', position: 1 },
      response: { ...leagueProblem, label: 'A', color: '#d00', position: 1 },
    },
  },
  removeEventProblem: {
    summary: 'Remove a problem from an event; its submissions stay',
    description: `For the staff of the event; others get 403. A problem with submissions in the event
gets 409 \`PROBLEM_HAS_SUBMISSIONS\` unless the query has \`force=true\`. Its submissions stay with
their users and no longer count in the standings. They count again if staff adds the problem again.`,
    example: { params: { event_problem_id: leagueProblem.id }, query: { force: true } },
  },
} satisfies SomeOperations
