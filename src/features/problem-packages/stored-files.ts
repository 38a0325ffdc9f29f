import { buffer } from 'node:stream/consumers'
import type { ActorDatabase } from '../../http/routing/actor.ts'
import { AppError } from '../../http/routing/errors.ts'
import type { PackageFile } from '../../problem-format/package-files.ts'
import { readFilePart } from './file-sql.ts'

/** The name of a stored file. */
export interface StoredFileName {
  readonly id: string
  readonly path: string
  readonly bytes: number
}

/** The content of a stored file, part by part. Throws UNAVAILABLE if an import has replaced it. */
export async function* readParts(
  db: Pick<ActorDatabase, 'query'>,
  { id, path, bytes }: StoredFileName,
): AsyncGenerator<Buffer> {
  let read = 0
  for (let number = 0; read < bytes; number += 1) {
    const [part] = await db.query(readFilePart, { file_id: id, number })
    if (part === undefined) throw new AppError('UNAVAILABLE', `${path} was replaced meanwhile; try again`)
    read += part.content.length
    yield part.content
  }
}

/** A stored file as a file of a package. */
export function packageFileOf(db: Pick<ActorDatabase, 'query'>, file: StoredFileName): PackageFile {
  const { path, bytes } = file
  return { path, bytes, read: () => buffer(readParts(db, file)) }
}
