import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readText } from '../shared/cut-text.ts'
import { readUntrusted } from '../shared/read-untrusted.ts'

/**
 * The first `limitBytes` of a file that a validator may have left in its feedback folder, as
 * `readText` shows them. Undefined unless it is a regular file that can be read. The validator must
 * have ended.
 */
export async function readFeedbackFile(
  folder: string,
  name: string,
  limitBytes: number,
): Promise<string | undefined> {
  const info = await lstat(folder).catch(() => undefined)
  if (name !== basename(name) || !info?.isDirectory()) return undefined
  // One byte more shows that there is more.
  const bytes = await readUntrusted(join(folder, name), limitBytes + 1)
  return bytes && readText(bytes, limitBytes)
}

/** True if there is anything with this name in the feedback folder. */
export async function hasFeedback(folder: string, name: string): Promise<boolean> {
  return lstat(join(folder, name)).then(
    () => true,
    (err: unknown) => !(err instanceof Error && 'code' in err && err.code === 'ENOENT'),
  )
}
