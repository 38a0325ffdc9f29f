import type { Language } from '@judge-data-layer/languages'
import type { Config } from './config/config.ts'
import type { Passwords } from './features/accounts/passwords.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import { categoryRoutes } from './features/categories/routes.ts'
import { clarificationRoutes } from './features/clarifications/routes.ts'
import { contestRoutes } from './features/events/contest-routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { languageRoutes } from './features/languages/routes.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { problemRoutes } from './features/problems/routes.ts'
import { runRoutes } from './features/runs/routes.ts'
import { submissionRoutes } from './features/submissions/routes.ts'
import { teamRoutes } from './features/teams/routes.ts'
import { userRoutes } from './features/users/routes.ts'
import type { RouteGroup } from './http/routing/route.ts'
import type { Tokens } from './http/routing/tokens.ts'
import type { Metrics } from './metrics/metrics.ts'
import { describeApi } from './openapi/document.ts'
import { documentationRoutes } from './openapi/routes.ts'
import type { ProblemSearch } from './search/problem-search.ts'

export interface FeatureDependencies {
  readonly config: Config
  readonly languages: readonly Language[]
  readonly passwords: Passwords
  /** Undefined where no search backend is configured. */
  readonly search: ProblemSearch | undefined
  readonly tokens: Tokens
  /** Undefined where nobody scrapes them. */
  readonly metrics: Metrics | undefined
  /** Tells the relay that a message waits, once its row is committed. */
  readonly wakeRelay: () => void
}

/** Every route of the service, by its part, in the specification's order. */
export function allRoutes(deps: FeatureDependencies): RouteGroup[] {
  const groups: RouteGroup[] = [
    { name: 'Health', description: 'What runs here, and whether it can work.', routes: healthRoutes() },
    {
      name: 'Accounts',
      description: 'Registering, logging in, and new passwords.',
      routes: accountRoutes(deps),
    },
    { name: 'Users', description: 'The people.', routes: userRoutes(deps) },
    {
      name: 'Problems',
      description: 'Problems with their test cases and categories.',
      routes: [...problemRoutes(deps), ...categoryRoutes(deps)],
    },
    {
      name: 'Submissions',
      description: 'Programs that are judged, and their verdicts.',
      routes: submissionRoutes(deps),
    },
    {
      name: 'Runs',
      description: 'Programs that run on an input of one’s own, without a verdict.',
      routes: runRoutes(deps),
    },
    { name: 'Languages', description: 'What programs may be written in.', routes: languageRoutes(deps) },
    {
      name: 'Events',
      description: 'Contests with their participants, problems, submissions and standings.',
      routes: contestRoutes(deps),
    },
    { name: 'Teams', description: 'The teams of events that have them.', routes: teamRoutes(deps) },
    { name: 'Questions', description: 'Clarifications during an event.', routes: clarificationRoutes() },
    { name: 'Notifications', description: 'What a user has not read yet.', routes: notificationRoutes() },
    {
      name: 'Documentation',
      description: 'This document.',
      routes: documentationRoutes(() => describeApi(groups, deps.config)),
    },
  ]
  return groups
}
