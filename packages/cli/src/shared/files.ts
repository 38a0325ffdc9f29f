import { randomBytes } from 'node:crypto'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { usageError } from './errors.ts'

/** Writes a file at once: `write` makes a temporary file, which is removed after an error. */
export async function writeAtOnce<Result>(
  file: string,
  write: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.part`)
  try {
    const result = await write(temporary)
    await rename(temporary, file)
    return result
  } catch (err) {
    await rm(temporary, { force: true })
    throw err
  }
}

/** Replaces a file at once. When it resolves, the text is on the disk. Mode: of a new file. */
export function replaceFile(file: string, text: string, mode = 0o666): Promise<void> {
  return writeAtOnce(file, (temporary) => writeFile(temporary, text, { mode, flag: 'wx', flush: true }))
}

/** True for a folder that exists. */
export const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true

/** Throws a usage error unless the folder of a file exists. */
export async function requireFolderOf(file: string): Promise<void> {
  if (!(await isFolder(dirname(file)))) throw usageError(`${dirname(file)}: there is no such folder.`)
}

/** For `catch`: undefined instead of a file that does not exist. */
export function ignoreMissing(err: unknown): undefined {
  if (Object(err).code !== 'ENOENT') throw err
}
