import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { basename, join } from 'node:path'

export interface FeedbackText {
  /** Invalid UTF-8 is replaced. */
  readonly text: string
  /** True if the file has more than the limit. */
  readonly isCut: boolean
}

// Opening a pipe or a device must neither wait nor have an effect, and a link is not followed.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * The first `limitBytes` of a file that a validator may have left in its feedback folder. Undefined
 * unless it is a regular file that can be read. The validator must have ended.
 */
export async function readFeedbackFile(
  folder: string,
  name: string,
  limitBytes: number,
): Promise<FeedbackText | undefined> {
  if (name !== basename(name)) return undefined
  const path = join(folder, name)
  try {
    if (!(await lstat(folder)).isDirectory() || !(await lstat(path)).isFile()) return undefined
    const file = await open(path, FLAGS)
    try {
      return (await file.stat()).isFile() ? await readFirst(file, limitBytes) : undefined
    } finally {
      await file.close()
    }
  } catch {
    // It is absent or closed to this user.
    return undefined
  }
}

/** True if there is anything with this name in the feedback folder. */
export async function hasFeedback(folder: string, name: string): Promise<boolean> {
  return lstat(join(folder, name)).then(
    () => true,
    (err: unknown) => !(err instanceof Error && 'code' in err && err.code === 'ENOENT'),
  )
}

async function readFirst(file: FileHandle, limitBytes: number): Promise<FeedbackText> {
  // One byte more shows that there is more.
  const buffer = Buffer.alloc(Math.min(limitBytes, (await file.stat()).size) + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  const isCut = length > limitBytes
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  // No half character at the end of a text that was cut.
  const text = decoder.decode(buffer.subarray(0, Math.min(length, limitBytes)), { stream: isCut })
  return { text, isCut }
}
