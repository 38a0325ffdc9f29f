import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'

// Opening a pipe or a device must neither wait nor have an effect, and a link is not followed.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * The first `mostBytes` of a file that an ended program may have left. Undefined unless it is a
 * regular file of at most `mostSize` bytes that can be read.
 */
export async function readUntrusted(
  path: string,
  mostBytes: number,
  mostSize = Number.POSITIVE_INFINITY,
): Promise<Buffer | undefined> {
  try {
    if (!(await lstat(path)).isFile()) return undefined
    const file = await open(path, FLAGS)
    try {
      const info = await file.stat()
      if (!info.isFile() || info.size > mostSize) return undefined
      const length = Math.min(info.size, mostBytes)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    // It is absent or closed to this user.
    return undefined
  }
}
