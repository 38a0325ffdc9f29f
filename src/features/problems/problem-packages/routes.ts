import { created, isAwaited, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent } from '../../../http/routing/schema.ts'
import { uploadOf } from '../../../http/server/uploads.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { problemFileRoutes } from './file-routes.ts'
import { importPackage } from './import.ts'
import { PACKAGE_TIMEOUT_MS, respondWithPackage } from './package-response.ts'
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
    defineRoute('importProblemPackage', 'POST /v1/problem_packages', {
      ...upload,
      responses: { 201: schemas.ImportedResponse },
      handler: async ({ db, actor, request, query }) => {
        const ctx = { db, callerId: actor.id, languages, sizes, isWaiting: () => isAwaited(request.response) }
        return created(JSON.stringify(await importPackage(ctx, uploadOf(request), query)))
      },
    }),
    defineRoute('replaceProblemPackage', 'PUT /v1/problem_packages/:problem_id', {
      ...upload,
      responses: { 200: schemas.ImportedResponse },
      handler: async ({ db, actor, request, query, params }) => {
        const ctx = { db, callerId: actor.id, languages, sizes, isWaiting: () => isAwaited(request.response) }
        return ok(JSON.stringify(await importPackage(ctx, uploadOf(request), query, params.problem_id)))
      },
    }),
    defineRoute('exportProblemPackage', 'GET /v1/problem_packages/:problem_id', {
      policy: 'admin',
      pool: 'bulk',
      timeoutMs: PACKAGE_TIMEOUT_MS,
      responses: { 200: FileContent('application/zip') },
      handler: (ctx) => respondWithPackage(ctx, ctx.params.problem_id),
    }),
    ...problemFileRoutes(),
  ]
}
