import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { found } from '../../../http/routing/responses.ts'
import { readProgram } from './submissions-sql.ts'

/** In Java a public class needs a file of its name; most programs call it `Main`. */
const NAME = 'Main'
const READABLE = 0o100664

/**
 * The program of a submission as a zip with one file. The same submission has the same bytes.
 * Throws NOT_FOUND for others than its author, staff and judges.
 */
export async function writeProgramZip(
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
