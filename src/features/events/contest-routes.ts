import type { Config } from '../../config/config.ts'
import type { Route } from '../../http/routing/route.ts'
import { eventProblemRoutes } from '../event-problems/routes.ts'
import { eventSubmissionRoutes } from '../event-submissions/routes.ts'
import { participantRoutes } from '../participants/routes.ts'
import { standingsRoutes } from '../standings/routes.ts'
import { eventRoutes } from './routes.ts'

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
