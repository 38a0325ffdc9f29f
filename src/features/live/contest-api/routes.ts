import Type from 'typebox'
import { readVersion } from '../../../config/project.ts'
import { found, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { accessOf } from './access.ts'
import { collectionRoutes } from './collection-routes.ts'
import { createCollections } from './collections.ts'
import { listContests, readContestView } from './contest-sql.ts'
import { fileRoutes } from './file-routes.ts'
import { CONTEST_API_POLICY } from './policy.ts'
import { filtersOf, filterValues, respondWithSingleton } from './read-objects.ts'
import * as schemas from './schemas.ts'
import { scoreboardRoute } from './scoreboard.ts'

type ContestApiDependencies = Pick<FeatureDependencies, 'config' | 'packageProcesses'>

/** Reading over the Contest API, version 2026-01 (P26). */
export function contestApiRoutes(deps: ContestApiDependencies) {
  const collections = createCollections(deps.config)
  return [
    informationRoute('/v1/clics/', 'readContestApi'),
    informationRoute('/v1/clics', 'readContestApiWithoutSlash'),
    defineRoute('listContests', 'GET /v1/clics/contests', {
      policy: CONTEST_API_POLICY,
      pool: 'lists',
      query: filtersOf('contest'),
      responses: { 200: Type.Array(schemas.objectSchemas.contest) },
      handler: async ({ db, query }) =>
        ok(found(await db.query(listContests, filterValues(query)), 'list').body),
    }),
    defineRoute('readContest', 'GET /v1/clics/contests/:event_id', {
      policy: CONTEST_API_POLICY,
      responses: { 200: schemas.objectSchemas.contest },
      handler: ({ db, params }) => respondWithSingleton(db, collections.contest, params.event_id),
    }),
    defineRoute('readContestAccess', 'GET /v1/clics/contests/:event_id/access', {
      policy: CONTEST_API_POLICY,
      responses: { 200: schemas.Access },
      handler: async ({ db, params }) =>
        ok(JSON.stringify(accessOf(found(await db.query(readContestView, params), 'contest')))),
    }),
    defineRoute('readContestState', 'GET /v1/clics/contests/:event_id/state', {
      policy: CONTEST_API_POLICY,
      responses: { 200: schemas.objectSchemas.state },
      handler: ({ db, params }) => respondWithSingleton(db, collections.state, params.event_id),
    }),
    ...collectionRoutes(collections),
    ...fileRoutes(deps),
    scoreboardRoute(),
  ]
}

function informationRoute<const N extends string>(url: string, name: N) {
  const information = {
    version: '2026-01',
    version_url: 'https://ccs-specs.icpc.io/2026-01/contest_api',
    provider: { name: 'Judge Data Layer', version: readVersion() },
  }
  return defineRoute(name, `GET ${url}`, {
    policy: CONTEST_API_POLICY,
    responses: { 200: schemas.ApiInformation },
    handler: async ({ db }) => {
      await db.confirm()
      return ok(JSON.stringify(information))
    },
  })
}
