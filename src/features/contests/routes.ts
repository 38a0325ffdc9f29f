import type { Config } from '../../config.ts'
import type { Route } from '../../http/route.ts'
import { eventRoutes } from './event-routes.ts'
import { participantRoutes } from './participant-routes.ts'
import { eventProblemRoutes } from './problem-routes.ts'
import { standingsRoutes } from './standings-routes.ts'
import { eventSubmissionRoutes } from './submission-routes.ts'

/** Everything of contests but teams and clarifications (specification, Events and Event sub-resources). */
export function contestRoutes(deps: { readonly config: Pick<Config, 'sizes'> }): Route[] {
  return [
    ...eventRoutes(deps),
    ...participantRoutes(),
    ...eventProblemRoutes(),
    ...eventSubmissionRoutes(),
    ...standingsRoutes(),
  ]
}
