import { clarificationRoutes } from './contests/clarifications/routes.ts'
import { eventProblemRoutes } from './contests/event-problems/routes.ts'
import { eventRoutes } from './contests/events/routes.ts'
import { notificationRoutes } from './contests/notifications/routes.ts'
import { participantRoutes } from './contests/participants/routes.ts'
import { scoreboardTokenRoutes } from './contests/scoreboard-tokens/routes.ts'
import { standingsRoutes } from './contests/standings/routes.ts'
import { teamRoutes } from './contests/teams/routes.ts'
import { rejudgingDecisionRoutes } from './judging/cancellable-rejudging/routes.ts'
import { rejudgeRoutes } from './judging/immediate-rejudging/routes.ts'
import { judgeRoutes } from './judging/judges/routes.ts'
import { languageRoutes } from './judging/languages/routes.ts'
import { runRoutes } from './judging/runs/routes.ts'
import { shadowJudgingRoutes } from './judging/shadow-judgings/routes.ts'
import { eventSubmissionRoutes, submissionRoutes } from './judging/submissions/routes.ts'
import { verificationRoutes } from './judging/verifications/routes.ts'
import { changeStreamRoutes } from './live/change-streams/routes.ts'
import { feedRoute } from './live/contest-api/feed-route.ts'
import { contestApiRoutes } from './live/contest-api/routes.ts'
import { contestApiWriteRoutes } from './live/contest-api/write-routes.ts'
import { webhookRoutes } from './live/webhooks/routes.ts'
import { accountRoutes } from './people/accounts/routes.ts'
import { userImportRoutes } from './people/user-imports/routes.ts'
import { userRoutes } from './people/users/routes.ts'
import { problemPackageRoutes } from './problems/problem-packages/routes.ts'
import { categoryRoutes } from './problems/problems/category-routes.ts'
import { problemRoutes } from './problems/problems/routes.ts'
import { healthRoutes } from './service/health/routes.ts'
import { pageRoutes } from './service/pages/routes.ts'
import type { FeatureDependencies } from './shared/dependencies.ts'

/** The routes of all features by the tag of their operations, in the specification's order. */
export const featureRoutes = (deps: FeatureDependencies) => ({
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
    ...eventProblemRoutes(),
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
})
