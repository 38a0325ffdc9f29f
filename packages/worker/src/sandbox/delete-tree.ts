import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const TIMEOUT_MS = 60_000

/**
 * Deletes a file or folder. Folders nested deeper than PATH_MAX and folders without permissions are
 * no obstacle. Returns the reason where something is left, else undefined; never throws.
 */
export async function deleteTree(path: string): Promise<string | undefined> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
    return undefined
  } catch {
    // Node works with whole paths and the permissions as they are. The tools below do not.
    return deleteStubbornTree(path)
  }
}

async function deleteStubbornTree(path: string): Promise<string | undefined> {
  const run = promisify(execFile)
  try {
    await run('chmod', ['-R', 'u+rwx', '--', path], { timeout: TIMEOUT_MS }).catch(() => undefined)
    await run('rm', ['-rf', '--', path], { timeout: TIMEOUT_MS })
    return undefined
  } catch (err) {
    return err instanceof Error ? err.message : String(err)
  }
}
