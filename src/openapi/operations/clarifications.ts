import type { clarificationRoutes } from '../../features/clarifications/routes.ts'
import { sumOfTwo } from '../examples/example-world.ts'
import {
  answeredQuestion,
  askedQuestion,
  openQuestion,
  practiceLeague,
} from '../examples/example-world-contest.ts'
import type { Operations } from '../operation-docs.ts'

const event_id = practiceLeague.id

export const clarificationOperations: Operations<ReturnType<typeof clarificationRoutes>[number]> = {
  listQuestions: {
    summary: 'List the questions of an event, the newest first',
    description: `Everybody's questions in the event, the newest first. \`answer\`, \`answered_at\`, \`answered_by\` and \`answerer\` are there once a question is answered;
the last two are absent where a judge answered, who has no account.
\`problem\` is there where the question is about one that the caller may see, and \`problem_id\` unless the event hides the problem from them.`,
    example: { params: { event_id }, response: [openQuestion, answeredQuestion] },
  },
  askQuestion: {
    summary: 'Ask a question; the other participants are notified',
    description: `Any user, whether or not they take part. The other participants get a notification of type \`question\`. \`problem_id\` may be left out; a problem that the
caller neither sees nor knows from the event is 404. So is a judge, who has no account to ask with.`,
    example: {
      params: { event_id },
      body: { question: askedQuestion.question, problem_id: sumOfTwo.id },
      response: askedQuestion,
    },
  },
  answerQuestion: {
    summary: 'Answer a question; its author is notified',
    description:
      "Any user. The question's author gets a notification of type `answer`. Answering again replaces the answer and notifies again. A question of another event is 404.",
    example: {
      params: { event_id, question_id: openQuestion.id },
      body: { answer: 'No, the league goes on.' },
      response: { message: 'The question was answered' },
    },
  },
}
