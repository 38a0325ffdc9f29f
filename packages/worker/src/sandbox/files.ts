import { execFile } from 'node:child_process'
import { linkSync, lstatSync } from 'node:fs'
import { chmod, constants, copyFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describeError } from '../shared/logger.ts'
import { succeeds } from '../shared/try-or.ts'

const READABLE = 0o004
const WRITABLE_BY_OTHERS = 0o022
const SHARED_MODE = 0o644
const DELETE_TIMEOUT_MS = 60_000

/**
 * Makes the new file `target` with the content of `source`, which any user may read. With
 * `isLinked` it is a hard link, unless the file system or the mode of `source` forbids that.
 */
export async function shareFile(source: string, target: string, isLinked: boolean): Promise<void> {
  if (isLinked && canBeLinked(source) && succeeds(() => linkSync(source, target))) return
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  await chmod(target, SHARED_MODE)
}

function canBeLinked(source: string): boolean {
  const info = lstatSync(source)
  return info.isFile() && (info.mode & READABLE) !== 0 && (info.mode & WRITABLE_BY_OTHERS) === 0
}

/**
 * Deletes a file or folder, also with folders deeper than PATH_MAX or without permissions. Returns
 * the reason of a failure, else undefined; never throws.
 */
export async function deleteTree(path: string): Promise<string | undefined> {
  const run = promisify(execFile)
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(async () => {
      // Node uses whole paths and cannot enter closed folders. These commands can.
      await run('chmod', ['-R', 'u+rwx', '--', path], { timeout: DELETE_TIMEOUT_MS }).catch(() => undefined)
      await run('rm', ['-rf', '--', path], { timeout: DELETE_TIMEOUT_MS })
    })
    return undefined
  } catch (err) {
    return describeError(err)
  }
}
