import Type from 'typebox'
import { created, found, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent, IntegerId, Written } from '../../../http/routing/schema.ts'
import { hashQuery } from '../../../lists/entity-tag.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import { packageTimeoutMs } from '../../../package-process/package-processes.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { EXPORT_TIMEOUT_MS, respondWithPackage } from './export.ts'
import { listProblemFiles, readProblemFile } from './file-sql.ts'
import { importPackage } from './import.ts'
import * as schemas from './schemas.ts'
import { respondWithFile, retryChanged } from './stored-files.ts'

type PackageDependencies = Pick<FeatureDependencies, 'config' | 'languages' | 'packageProcesses'>

/** Problems as zip files in the problem package format of the ICPC and Kattis. */
export function problemPackageRoutes({ config, languages, packageProcesses }: PackageDependencies) {
  const { sizes, packages } = config
  const largeBodyAdvice = `send a package of at most ${sizes.packageBytes} bytes, or raise PACKAGE_LIMIT_BYTES`
  const upload = {
    policy: 'admin',
    upload: 'application/zip',
    bodyLimit: 'package',
    largeBodyAdvice,
    pool: 'bulk',
    timeoutMs: packageTimeoutMs(packages),
    query: schemas.ImportQuery,
  } as const
  const imported = { languages, sizes, packageProcesses }
  return [
    defineRoute('importProblemPackage', 'POST /v1/problem_packages', {
      ...upload,
      responses: { 201: schemas.ImportedResponse },
      handler: async (ctx) => created(await importPackage({ ...ctx, ...imported })),
    }),
    defineRoute('replaceProblemPackage', 'PUT /v1/problem_packages/:problem_id', {
      ...upload,
      responses: { 200: schemas.ImportedResponse },
      handler: async ({ params: { problem_id }, ...ctx }) =>
        ok(await importPackage({ ...ctx, ...imported }, problem_id)),
    }),
    defineRoute('exportProblemPackage', 'GET /v1/problem_packages/:problem_id', {
      policy: 'admin',
      pool: 'bulk',
      timeoutMs: EXPORT_TIMEOUT_MS,
      responses: { 200: FileContent('application/zip') },
      handler: (ctx) => respondWithPackage({ ...ctx, packageProcesses }, ctx.params.problem_id),
    }),
    ...fileRoutes(),
  ]
}

const FilePath = Type.Object({
  problem_id: IntegerId(),
  name: Written({ minLength: 1, maxLength: 1024, description: 'The `name` in the list of files.' }),
})

/** The files of a problem for solvers: statements, pictures and attachments of its package. */
function fileRoutes() {
  return [
    defineListRoute('listProblemFiles', '/v1/problems/:problem_id/files', {
      policy: 'user',
      list: listProblemFiles,
      item: schemas.ProblemFileResponse,
    }),
    defineRoute('readProblemFile', 'GET /v1/problems/:problem_id/files/:name', {
      policy: 'user',
      pool: 'lists',
      hasEntityTag: true,
      params: FilePath,
      responses: { 200: FileContent('*/*') },
      handler: (ctx) =>
        retryChanged(async () => {
          const { problem_id, name } = ctx.params
          const file = found(await ctx.db.query(readProblemFile, ctx.params), 'file of the problem')
          return respondWithFile(ctx, hashQuery(readProblemFile.text, [problem_id, name]), { ...file, name })
        }),
    }),
  ]
}
