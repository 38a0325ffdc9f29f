import { accountOperations } from './operations/accounts.ts'
import { categoryOperations } from './operations/categories.ts'
import { changeStreamOperations } from './operations/change-streams.ts'
import { clarificationOperations } from './operations/clarifications.ts'
import { contestApiOperations } from './operations/contest-api.ts'
import { contestApiWriteOperations } from './operations/contest-api-writes.ts'
import { documentationOperations } from './operations/documentation.ts'
import { eventClockOperations } from './operations/event-clock.ts'
import { eventFeedOperations } from './operations/event-feed.ts'
import { eventProblemOperations } from './operations/event-problems.ts'
import { eventSubmissionOperations } from './operations/event-submissions.ts'
import { eventOperations } from './operations/events.ts'
import { healthOperations } from './operations/health.ts'
import { judgeOperations } from './operations/judges.ts'
import { languageOperations } from './operations/languages.ts'
import { notificationOperations } from './operations/notifications.ts'
import { pageOperations } from './operations/pages.ts'
import { participantOperations } from './operations/participants.ts'
import { problemPackageOperations } from './operations/problem-packages.ts'
import { problemOperations } from './operations/problems.ts'
import { rejudgeOperations } from './operations/rejudging.ts'
import { rejudgingDecisionOperations } from './operations/rejudging-decisions.ts'
import { runOperations } from './operations/runs.ts'
import { scoreboardTokenOperations } from './operations/scoreboard-tokens.ts'
import { shadowJudgingOperations } from './operations/shadow-judgings.ts'
import { standingsOperations } from './operations/standings.ts'
import { submissionOperations } from './operations/submissions.ts'
import { teamOperations } from './operations/teams.ts'
import { testCaseOperations } from './operations/test-cases.ts'
import { userOperations } from './operations/users.ts'
import { verificationOperations } from './operations/verifications.ts'
import { webhookOperations } from './operations/webhooks.ts'

/** The text and examples of every operation by operationId. */
export const operations = {
  ...healthOperations,
  ...accountOperations,
  ...userOperations,
  ...problemOperations,
  ...problemPackageOperations,
  ...verificationOperations,
  ...testCaseOperations,
  ...categoryOperations,
  ...submissionOperations,
  ...rejudgeOperations,
  ...rejudgingDecisionOperations,
  ...shadowJudgingOperations,
  ...runOperations,
  ...languageOperations,
  ...judgeOperations,
  ...eventOperations,
  ...participantOperations,
  ...eventClockOperations,
  ...eventProblemOperations,
  ...eventSubmissionOperations,
  ...standingsOperations,
  ...scoreboardTokenOperations,
  ...teamOperations,
  ...clarificationOperations,
  ...notificationOperations,
  ...changeStreamOperations,
  ...pageOperations,
  ...contestApiOperations,
  ...contestApiWriteOperations,
  ...eventFeedOperations,
  ...webhookOperations,
  ...documentationOperations,
}
