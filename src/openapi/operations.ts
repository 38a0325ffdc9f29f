import { accountOperations } from './operations/accounts.ts'
import { changeStreamOperations } from './operations/change-streams.ts'
import { clarificationOperations } from './operations/clarifications.ts'
import { contestApiOperations } from './operations/contest-api.ts'
import { eventProblemOperations } from './operations/event-problems.ts'
import { eventOperations } from './operations/events.ts'
import { judgingOperations } from './operations/judging.ts'
import { problemPackageOperations } from './operations/problem-packages.ts'
import { problemOperations } from './operations/problems.ts'
import { rejudgingOperations } from './operations/rejudging.ts'
import { serviceOperations } from './operations/service.ts'
import { standingsOperations } from './operations/standings.ts'
import { submissionOperations } from './operations/submissions.ts'
import { teamOperations } from './operations/teams.ts'
import { webhookOperations } from './operations/webhooks.ts'

/** The text and examples of every operation by operationId. */
export const operations = {
  ...serviceOperations,
  ...accountOperations,
  ...problemOperations,
  ...problemPackageOperations,
  ...submissionOperations,
  ...rejudgingOperations,
  ...judgingOperations,
  ...eventOperations,
  ...eventProblemOperations,
  ...standingsOperations,
  ...teamOperations,
  ...clarificationOperations,
  ...changeStreamOperations,
  ...contestApiOperations,
  ...webhookOperations,
}
