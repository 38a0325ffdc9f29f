import { clarificationRoutes } from './features/contests/clarifications/routes.ts'
import { eventProblemChangeRoutes } from './features/contests/event-problems/change-routes.ts'
import { eventProblemRoutes } from './features/contests/event-problems/routes.ts'
import { eventClockRoutes } from './features/contests/events/clock-routes.ts'
import { eventRoutes } from './features/contests/events/routes.ts'
import { notificationRoutes } from './features/contests/notifications/routes.ts'
import { participantRoutes } from './features/contests/participants/routes.ts'
import { scoreboardTokenRoutes } from './features/contests/scoreboard-tokens/routes.ts'
import { standingsRoutes } from './features/contests/standings/routes.ts'
import { teamRoutes } from './features/contests/teams/routes.ts'
import { rejudgingDecisionRoutes } from './features/judging/cancellable-rejudging/routes.ts'
import { rejudgeRoutes } from './features/judging/immediate-rejudging/routes.ts'
import { judgeRoutes } from './features/judging/judges/routes.ts'
import { languageRoutes } from './features/judging/languages/routes.ts'
import { runRoutes } from './features/judging/runs/routes.ts'
import { shadowJudgingRoutes } from './features/judging/shadow-judgings/routes.ts'
import { eventSubmissionRoutes } from './features/judging/submissions/contest-routes.ts'
import { submissionRoutes } from './features/judging/submissions/routes.ts'
import { verificationRoutes } from './features/judging/verifications/routes.ts'
import { changeStreamRoutes } from './features/live/change-streams/routes.ts'
import { feedRoute } from './features/live/contest-api/feed-route.ts'
import { contestApiRoutes } from './features/live/contest-api/routes.ts'
import { contestApiWriteRoutes } from './features/live/contest-api/write-routes.ts'
import { webhookRoutes } from './features/live/webhooks/routes.ts'
import { accountRoutes } from './features/people/accounts/routes.ts'
import { userImportRoutes } from './features/people/user-imports/routes.ts'
import { userRoutes } from './features/people/users/routes.ts'
import { problemPackageRoutes } from './features/problems/problem-packages/routes.ts'
import { categoryRoutes } from './features/problems/problems/category-routes.ts'
import { problemRoutes } from './features/problems/problems/routes.ts'
import { healthRoutes } from './features/service/health/routes.ts'
import { pageRoutes } from './features/service/pages/routes.ts'
import type { FeatureDependencies } from './features/shared/dependencies.ts'
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
