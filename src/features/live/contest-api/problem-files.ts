import Type from 'typebox'
import { found } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent, IntegerId, Written } from '../../../http/routing/schema.ts'
import { hashQuery } from '../../../lists/entity-tag.ts'
import { respondWithFile } from '../../problems/problem-packages/file-content.ts'
import { PACKAGE_TIMEOUT_MS, respondWithPackage } from '../../problems/problem-packages/package-response.ts'
import { retryChanged } from '../../problems/problem-packages/stored-files.ts'
import { CONTEST_API_POLICY } from './policy.ts'
import { readContestProblemFile, readPackageAccess } from './problems-sql.ts'

const FilePath = Type.Object({
  event_id: IntegerId(),
  problem_id: IntegerId(),
  name: Written({ minLength: 1, maxLength: 1024, description: 'The `filename` of the file.' }),
})

/** A corrected statement reaches everybody after this time, in seconds. */
const FILE_AGE_SECONDS = 300

/** The files of a contest's problems that the collection `problems` names. */
export function problemFileRoutes() {
  return [
    fileRoute(),
    defineRoute('readContestPackage', 'GET /v1/clics/contests/:event_id/problems/:problem_id/package', {
      policy: CONTEST_API_POLICY,
      pool: 'bulk',
      timeoutMs: PACKAGE_TIMEOUT_MS,
      responses: { 200: FileContent('application/zip') },
      handler: async (ctx) => {
        found(await ctx.db.queryQuickly(readPackageAccess, ctx.params), 'package of the problem')
        return respondWithPackage(ctx, ctx.params.problem_id)
      },
    }),
  ] as const
}

function fileRoute() {
  return defineRoute(
    'readContestProblemFile',
    'GET /v1/clics/contests/:event_id/problems/:problem_id/files/:name',
    {
      policy: CONTEST_API_POLICY,
      pool: 'lists',
      hasEntityTag: true,
      params: FilePath,
      responses: { 200: FileContent('*/*') },
      handler: (ctx) =>
        retryChanged(async () => {
          const { event_id, problem_id, name } = ctx.params
          const file = found(await ctx.db.query(readContestProblemFile, ctx.params), 'file of the problem')
          const query = hashQuery(readContestProblemFile.text, [event_id, problem_id, name])
          const response = await respondWithFile(ctx, query, { ...file, name })
          return { ...response, headers: { ...response.headers, 'cache-control': cacheFor(ctx.actor) } }
        }),
    },
  )
}

/** Shared caches store only what everybody may read. */
const cacheFor = (actor: object | undefined) =>
  `${actor === undefined ? 'public' : 'private'}, max-age=${FILE_AGE_SECONDS}`
