import { created, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent } from '../../../http/routing/schema.ts'
import { uploadOf } from '../../../http/server/uploads.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { ProblemPath } from '../problems/schemas.ts'
import { problemFileRoutes } from './file-routes.ts'
import { importPackage } from './import.ts'
import { PACKAGE_TIMEOUT_MS, respondWithPackage, watch } from './package-response.ts'
import * as schemas from './schemas.ts'

type PackageDependencies = Pick<FeatureDependencies, 'config' | 'languages'>

/** Problems as zip files in the problem package format of the ICPC and Kattis. */
export function problemPackageRoutes({ config: { sizes }, languages }: PackageDependencies) {
  const largeBodyAdvice = `send a package of at most ${sizes.packageBytes} bytes, or raise PACKAGE_LIMIT_BYTES`
  const upload = {
    policy: 'admin',
    upload: 'application/zip',
    bodyLimit: 'package',
    largeBodyAdvice,
    pool: 'bulk',
    timeoutMs: PACKAGE_TIMEOUT_MS,
    query: schemas.ImportQuery,
  } as const
  return [
    defineRoute({
      ...upload,
      method: 'POST',
      url: '/v1/problem_packages',
      name: 'importProblemPackage',
      responses: { 201: schemas.ImportedResponse },
      handler: async ({ db, actor, request, query }) => {
        const ctx = { db, callerId: actor.id, languages, sizes, ...watch(request) }
        return created(JSON.stringify(await importPackage(ctx, uploadOf(request), query)))
      },
    }),
    defineRoute({
      ...upload,
      method: 'PUT',
      url: '/v1/problem_packages/:problem_id',
      name: 'replaceProblemPackage',
      params: ProblemPath,
      responses: { 200: schemas.ImportedResponse },
      handler: async ({ db, actor, request, query, params }) => {
        const ctx = { db, callerId: actor.id, languages, sizes, ...watch(request) }
        return ok(JSON.stringify(await importPackage(ctx, uploadOf(request), query, params.problem_id)))
      },
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/problem_packages/:problem_id',
      name: 'exportProblemPackage',
      policy: 'admin',
      pool: 'bulk',
      timeoutMs: PACKAGE_TIMEOUT_MS,
      params: ProblemPath,
      responses: { 200: FileContent('application/zip') },
      handler: (ctx) => respondWithPackage(ctx, ctx.params.problem_id),
    }),
    ...problemFileRoutes(),
  ]
}
