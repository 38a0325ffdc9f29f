import { buffer } from 'node:stream/consumers'
import Type from 'typebox'
import { ZipFile } from 'yazl'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { found } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent, IntegerId, Written } from '../../../http/routing/schema.ts'
import { hashQuery } from '../../../lists/entity-tag.ts'
import { EXPORT_TIMEOUT_MS, respondWithPackage } from '../../problems/problem-packages/export.ts'
import { respondWithFile, retryChanged } from '../../problems/problem-packages/stored-files.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { CONTEST_API_POLICY } from './policy.ts'
import { readContestProblemFile, readPackageAccess } from './problems-sql.ts'
import { readProgram } from './submissions-sql.ts'

const FilePath = Type.Object({
  event_id: IntegerId(),
  problem_id: IntegerId(),
  name: Written({ minLength: 1, maxLength: 1024, description: 'The `filename` of the file.' }),
})

/** A corrected statement reaches everybody after this time, in seconds. */
const FILE_AGE_SECONDS = 300

/** The files that the collections `problems` and `submissions` name. */
export function fileRoutes({ packageProcesses }: Pick<FeatureDependencies, 'packageProcesses'>) {
  return [
    defineRoute(
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
    ),
    defineRoute('readContestPackage', 'GET /v1/clics/contests/:event_id/problems/:problem_id/package', {
      policy: CONTEST_API_POLICY,
      pool: 'bulk',
      timeoutMs: EXPORT_TIMEOUT_MS,
      responses: { 200: FileContent('application/zip') },
      handler: async (ctx) => {
        found(await ctx.db.queryQuickly(readPackageAccess, ctx.params), 'package of the problem')
        return respondWithPackage({ ...ctx, packageProcesses }, ctx.params.problem_id)
      },
    }),
    submissionFileRoute(),
  ] as const
}

/** The program of a submission, for its author, staff and judges. */
function submissionFileRoute() {
  return defineRoute(
    'readContestSubmissionFiles',
    'GET /v1/clics/contests/:event_id/submissions/:submission_id/files',
    {
      policy: CONTEST_API_POLICY,
      responses: { 200: FileContent('application/zip') },
      handler: async ({ db, params }) => ({
        status: 200,
        type: 'application/zip',
        headers: {
          'content-disposition': 'attachment; filename="files.zip"',
          // A program never changes.
          'cache-control': 'private, max-age=3600',
        },
        body: await writeProgramZip(db, params),
      }),
    },
  )
}

/** Shared caches store only what everybody may read. */
const cacheFor = (actor: object | undefined) =>
  `${actor === undefined ? 'public' : 'private'}, max-age=${FILE_AGE_SECONDS}`

/** In Java a public class needs a file of its name; most programs call it `Main`. */
const NAME = 'Main'
const READABLE = 0o100664

/**
 * The program of a submission as a zip with one file. The same submission has the same bytes.
 * Throws NOT_FOUND for others than its author, staff and judges.
 */
async function writeProgramZip(
  db: ActorDatabase,
  submission: { readonly event_id: number; readonly submission_id: string },
): Promise<Buffer> {
  const { source_code, extension, submitted_at } = found(
    await db.query(readProgram, submission),
    'submission',
  )
  const zip = new ZipFile()
  const mtime = new Date(submitted_at)
  zip.addBuffer(Buffer.from(source_code), `${NAME}.${extension}`, { mtime, mode: READABLE })
  zip.end()
  return buffer(zip.outputStream)
}
