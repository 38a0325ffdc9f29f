import { buffer } from 'node:stream/consumers'
import type { PackageFile } from '@judge-data-layer/problem-format/package-files'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { readFilePart, type StoredFileName } from './file-sql.ts'

/** The stored problem is no longer the one that was read before. */
export class ProblemChanged extends Error {}

const TRIES = 5

/** Runs `work` again if an import replaced the problem. Throws UNAVAILABLE in the end. */
export async function retryChanged<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      return await work()
    } catch (err) {
      if (!(err instanceof ProblemChanged)) throw err
    }
  }
  throw new AppError('UNAVAILABLE', 'The problem changes all the time; try again shortly')
}

/** The content of a stored file, part by part. Throws `ProblemChanged`. */
export async function* readParts(
  db: Pick<ActorDatabase, 'query'>,
  { id, path, bytes }: StoredFileName,
): AsyncGenerator<Buffer> {
  let read = 0
  for (let number = 0; read < bytes; number += 1) {
    const [part] = await db.query(readFilePart, { file_id: id, number })
    if (part === undefined) throw new ProblemChanged(`${path} was replaced while it was read`)
    read += part.content.length
    yield part.content
  }
}

/** A stored file as a file of a package. */
export function packageFileOf(db: Pick<ActorDatabase, 'query'>, file: StoredFileName): PackageFile {
  const { path, bytes } = file
  return { path, bytes, read: () => buffer(readParts(db, file)) }
}
