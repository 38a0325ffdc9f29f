import { accountRoutes } from './features/accounts/routes.ts'
import { categoryRoutes } from './features/categories/routes.ts'
import { changeStreamRoutes } from './features/change-streams/routes.ts'
import { clarificationRoutes } from './features/clarifications/routes.ts'
import { feedRoute } from './features/contest-api/feed-route.ts'
import { contestApiRoutes } from './features/contest-api/routes.ts'
import { contestApiWriteRoutes } from './features/contest-api/write-routes.ts'
import type { FeatureDependencies } from './features/dependencies.ts'
import { eventClockRoutes } from './features/event-clock/routes.ts'
import { eventProblemChangeRoutes } from './features/event-problems/change-routes.ts'
import { eventProblemRoutes } from './features/event-problems/routes.ts'
import { eventSubmissionRoutes } from './features/event-submissions/routes.ts'
import { eventRoutes } from './features/events/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { judgeRoutes } from './features/judges/routes.ts'
import { languageRoutes } from './features/languages/routes.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { pageRoutes } from './features/pages/routes.ts'
import { participantRoutes } from './features/participants/routes.ts'
import { problemPackageRoutes } from './features/problem-packages/routes.ts'
import { problemRoutes } from './features/problems/routes.ts'
import { rejudgeRoutes } from './features/rejudging/routes.ts'
import { rejudgingDecisionRoutes } from './features/rejudging-decisions/routes.ts'
import { runRoutes } from './features/runs/routes.ts'
import { scoreboardTokenRoutes } from './features/scoreboard-tokens/routes.ts'
import { shadowJudgingRoutes } from './features/shadow-judgings/routes.ts'
import { standingsRoutes } from './features/standings/routes.ts'
import { submissionRoutes } from './features/submissions/routes.ts'
import { teamRoutes } from './features/teams/routes.ts'
import { userImportRoutes } from './features/user-imports/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { verificationRoutes } from './features/verifications/routes.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import { documentationRoutes } from './openapi/routes.ts'

/** Every route of the service by the tag of its operation, in the specification's order. */
export function allRoutes(deps: FeatureDependencies) {
  const routes = {
    Health: healthRoutes(),
    Accounts: accountRoutes(deps),
    Users: [...userRoutes(deps), ...userImportRoutes(deps)],
    Problems: [...problemRoutes(deps), ...categoryRoutes(deps)],
    Packages: [...problemPackageRoutes(deps), ...verificationRoutes(deps)],
    Submissions: [
      ...submissionRoutes(deps),
      ...rejudgeRoutes(deps),
      ...rejudgingDecisionRoutes(deps),
      ...shadowJudgingRoutes(deps),
    ],
    Runs: runRoutes(deps),
    Languages: languageRoutes(deps),
    Judges: judgeRoutes(),
    Events: [
      ...eventRoutes(deps),
      ...participantRoutes(),
      ...eventClockRoutes(),
      ...eventProblemRoutes(),
      ...eventProblemChangeRoutes(),
      ...eventSubmissionRoutes(),
      ...standingsRoutes(),
      ...scoreboardTokenRoutes(deps),
    ],
    Teams: teamRoutes(deps),
    Questions: clarificationRoutes(deps),
    Notifications: notificationRoutes(),
    Changes: changeStreamRoutes(),
    Pages: pageRoutes(deps),
    'Contest API': [
      ...contestApiRoutes(deps),
      ...contestApiWriteRoutes(deps),
      feedRoute(deps),
      ...webhookRoutes(deps),
    ],
  }
  const documentation = documentationRoutes(async () => {
    const { describeApi } = await import('./openapi/document.ts')
    return describeApi({ ...routes, Documentation: documentation }, deps.config)
  })
  return { ...routes, Documentation: documentation }
}
