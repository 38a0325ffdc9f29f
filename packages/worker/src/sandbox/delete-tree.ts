import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const TIMEOUT_MS = 60_000

/**
 * Deletes a file or folder, also with folders deeper than PATH_MAX or without permissions. Returns
 * the reason of a failure, else undefined; never throws.
 */
export async function deleteTree(path: string): Promise<string | undefined> {
  const run = promisify(execFile)
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(async () => {
      // Node uses whole paths and cannot enter closed folders. These commands can.
      await run('chmod', ['-R', 'u+rwx', '--', path], { timeout: TIMEOUT_MS }).catch(() => undefined)
      await run('rm', ['-rf', '--', path], { timeout: TIMEOUT_MS })
    })
    return undefined
  } catch (err) {
    return err instanceof Error ? err.message : String(err)
  }
}
