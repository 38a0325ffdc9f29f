import { linkSync, lstatSync } from 'node:fs'
import { chmod, constants, copyFile } from 'node:fs/promises'

const READABLE = 0o004
const WRITABLE_BY_OTHERS = 0o022
const SHARED_MODE = 0o644

/**
 * Makes the new file `target` with the content of `source`, which any user may read. With
 * `isLinked` it is a hard link, unless the file system or the mode of `source` forbids that.
 */
export async function shareFile(source: string, target: string, isLinked: boolean): Promise<void> {
  if (isLinked && canBeLinked(source) && tryLink(source, target)) return
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await chmod(target, SHARED_MODE)
}

function canBeLinked(source: string): boolean {
  const info = lstatSync(source)
  return info.isFile() && (info.mode & READABLE) !== 0 && (info.mode & WRITABLE_BY_OTHERS) === 0
}

function tryLink(source: string, target: string): boolean {
  try {
    linkSync(source, target)
    return true
  } catch {
    return false
  }
}
