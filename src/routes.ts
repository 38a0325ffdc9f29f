import type { Language } from '@judge-data-layer/languages'
import type { Config } from './config.ts'
import type { Passwords } from './features/accounts/passwords.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import { clarificationRoutes } from './features/clarifications/routes.ts'
import { contestRoutes } from './features/contests/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { languageRoutes } from './features/languages/routes.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { categoryRoutes } from './features/problems/category-routes.ts'
import { problemRoutes } from './features/problems/routes.ts'
import { runRoutes } from './features/runs/routes.ts'
import { submissionRoutes } from './features/submissions/routes.ts'
import { teamRoutes } from './features/teams/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import type { Tokens } from './http/auth.ts'
import type { Route } from './http/route.ts'
import type { ProblemSearch } from './search/problem-search.ts'

export interface FeatureDependencies {
  readonly config: Config
  readonly languages: readonly Language[]
  readonly passwords: Passwords
  /** Undefined where no search backend is configured. */
  readonly search: ProblemSearch | undefined
  readonly tokens: Tokens
  /** Tells the relay that a message waits, once its row is committed. */
  readonly wakeRelay: () => void
}

/** Every route of the service, in the specification's order. */
export function allRoutes(deps: FeatureDependencies): Route[] {
  return [
    ...healthRoutes(),
    ...accountRoutes(deps),
    ...userRoutes(deps),
    ...problemRoutes(deps),
    ...categoryRoutes(deps),
    ...submissionRoutes(deps),
    ...runRoutes(deps),
    ...languageRoutes(deps),
    ...contestRoutes(deps),
    ...teamRoutes(deps),
    ...clarificationRoutes(),
    ...notificationRoutes(),
  ]
}
