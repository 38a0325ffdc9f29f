import { randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'

/**
 * Writes a file at once: an interrupted write leaves the old one. When it resolves, the text is on
 * the disk. The mode is that of a new file.
 */
export async function replaceFile(file: string, text: string, mode = 0o666): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(temporary, text, { mode, flag: 'wx', flush: true })
    await rename(temporary, file)
  } catch (err) {
    await rm(temporary, { force: true })
    throw err
  }
}
