import Type from 'typebox'
import { found } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent, IntegerId, Written } from '../../../http/routing/schema.ts'
import { hashQuery } from '../../../lists/entity-tag.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import { respondWithFile } from './file-content.ts'
import { listProblemFiles, readProblemFile } from './file-sql.ts'
import { ProblemFileResponse } from './schemas.ts'
import { retryChanged } from './stored-files.ts'

const FilePath = Type.Object({
  problem_id: IntegerId(),
  name: Written({ minLength: 1, maxLength: 1024, description: 'The `name` in the list of files.' }),
})

/** The files of a problem for solvers: statements, pictures and attachments of its package. */
export function problemFileRoutes() {
  return [
    defineListRoute('listProblemFiles', '/v1/problems/:problem_id/files', {
      policy: 'user',
      list: listProblemFiles,
      item: ProblemFileResponse,
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
