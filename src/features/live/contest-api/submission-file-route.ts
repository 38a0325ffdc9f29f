import { defineRoute } from '../../../http/routing/route.ts'
import { FileContent } from '../../../http/routing/schema.ts'
import { CONTEST_API_POLICY } from './policy.ts'
import { writeProgramZip } from './write-program-zip.ts'

/** The program of a submission, for its author, staff and judges. */
export function submissionFileRoute() {
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
