import {
  announcement,
  answeredQuestion,
  askedQuestion,
  notifications,
  openQuestion,
} from '../examples/example-questions.ts'
import { sumOfTwo } from '../examples/example-world.ts'
import type { SomeOperations } from '../operation-docs.ts'

export const clarificationOperations = {
  listQuestions: {
    summary: 'List the questions of an event, the newest first',
    description: `All questions of the event, the newest first. \`answer\`, \`answered_at\`,
\`answered_by\` and \`answerer\` are present once a question is answered; a judge's answer has no
\`answered_by\` and no \`answerer\`, since judges have no account. \`problem\` is present if the
caller may see the problem, and \`problem_id\` unless the event hides the problem from the caller.
If the event's \`clarifications\` is \`staff\`, users see only their own questions and public ones.
Announcements of staff are in the list too, with \`is_announcement\`.`,
    example: { response: [openQuestion, answeredQuestion] },
  },
  askQuestion: {
    summary: 'Ask a question; the other participants are notified',
    description: `For any user, whether or not they take part. The other participants get a
notification of type \`question\`. \`problem_id\` is optional; a problem that the caller may not
see, by itself or in the event, gets 404. Judges have no account and get 404 as well. If the event has
\`staff\`, its staff is notified too; if its \`clarifications\` is \`staff\`, only its staff is.`,
    example: {
      body: { question: askedQuestion.question, problem_id: sumOfTwo.id },
      response: askedQuestion,
    },
  },
  answerQuestion: {
    summary: 'Answer a question; its author is notified',
    description: `For any user. The author of the question gets a notification of type \`answer\`.
Another answer replaces the first one and notifies the author again; only staff replaces an answer
of staff, others get 409 \`ANSWERED_BY_STAFF\`. A question of another event gets 404.

If the event's \`clarifications\` is \`staff\`, only its staff answers; others get 403. A \`public\`
answer then notifies all participants. A question that is answered already gets 409
\`ALREADY_ANSWERED\`, unless the request has \`replace=true\`. A request that repeats the stored answer
gets 200 and changes nothing. A new answer without \`public\` is for the author and the staff alone.`,
    example: {
      params: { question_id: openQuestion.id },
      body: { answer: 'No, the league goes on.' },
      response: { message: 'The question was answered' },
    },
  },
  announce: {
    summary: 'Announce something to all participants',
    description: `For the staff of the event; others get 403. The announcement is stored as a public
question with its answer and \`is_announcement\`, and all participants get a notification of type \`answer\`.`,
    example: {
      body: { announcement: 'The contest goes on for ten more minutes.' },
      response: announcement,
    },
  },
  countUnreadNotifications: {
    summary: 'Count the caller’s unread notifications',
    description: `The number of the caller's unread notifications, for a badge. It is cheap to poll
at any number.`,
    example: { response: { count: notifications.length } },
  },
  listNotifications: {
    summary: 'List the caller’s notifications: unread, or read within a day',
    description: `The caller's own notifications, the newest first: all unread ones, and those read
within the last 24 hours. \`question\` is the present state of the question, in the form of
\`GET /v1/events/{event_id}/questions\`. Reading the list marks nothing as read.`,
    example: { response: notifications },
  },
  markNotificationsRead: {
    summary: 'Mark the caller’s notifications as read',
    description: `Marks all unread notifications; the request has no body. They stay in the list for
another 24 hours, with \`is_read\` true.`,
    example: { response: { message: 'Notifications are marked as read' } },
  },
} satisfies SomeOperations
