import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'

/** A file that the worker has written, with what it needs to notice damage. */
export interface SavedFile {
  readonly path: string
  readonly bytes: number
  readonly digest: string
  /** Identifies the file whose digest was checked last; undefined: check it. */
  readonly checked: { mark: string | undefined }
}

/** The usual size of a file system's block. */
export const BLOCK_BYTES = 4096
// Programs may open /dev/stdin as another user. The folder keeps them away from the file itself.
const FILE_MODE = 0o644
/** The digests of larger files are only checked if the file seems to have changed. */
const CHEAP_BYTES = 2 ** 20
/** The event loop does not notice the time that reading a smaller file takes. */
const QUICK_BYTES = 2 ** 16

/** Writes the new file `path`; `produce` hands over its content in pieces. */
export async function saveFile<T>(
  path: string,
  produce: (sink: (piece: Buffer) => Promise<void>) => Promise<T>,
): Promise<[SavedFile, T]> {
  const file = await open(path, 'wx', FILE_MODE)
  const hash = createHash('sha256')
  let bytes = 0
  try {
    const produced = await produce(async (piece) => {
      hash.update(piece)
      bytes += piece.length
      await file.writeFile(piece)
    })
    return [{ path, bytes, digest: hash.digest('hex'), checked: { mark: undefined } }, produced]
  } finally {
    await file.close()
  }
}

/** The size on disk, in bytes. */
export function measureFile({ bytes }: Pick<SavedFile, 'bytes'>): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
}

/** Whether the file still has its content. Reads a large file only if it seems to have changed. */
export async function isIntact(file: SavedFile): Promise<boolean> {
  const { size, ino, mtimeNs } = statSync(file.path, { bigint: true })
  if (size !== BigInt(file.bytes)) return false
  const mark = `${ino} ${mtimeNs}`
  if (file.bytes > CHEAP_BYTES && file.checked.mark === mark) return true
  if ((await hashFile(file)) !== file.digest) return false
  file.checked.mark = mark
  return true
}

/** Reads a file at once: a thread of the pool takes several times as long for a small file. */
export async function readSmall({ path, bytes }: Pick<SavedFile, 'path' | 'bytes'>): Promise<Buffer> {
  return bytes <= QUICK_BYTES ? readFileSync(path) : readFile(path)
}

async function hashFile({ path, bytes }: SavedFile): Promise<string> {
  const hash = createHash('sha256')
  // A stream takes five times as long for a small file.
  if (bytes <= CHEAP_BYTES) return hash.update(await readSmall({ path, bytes })).digest('hex')
  const stream = createReadStream(path)
  stream.on('data', (chunk) => hash.update(chunk))
  await once(stream, 'end')
  return hash.digest('hex')
}
