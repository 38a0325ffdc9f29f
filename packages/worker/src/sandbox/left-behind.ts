import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Lists the entries of a folder that ended processes have made, with their owners. `pattern` finds
 * the number of the process in the name of an entry.
 */
export async function listLeftBehind(folder: string, pattern: RegExp) {
  const found: { readonly name: string; readonly userId: number }[] = []
  for (const name of await readdir(folder)) {
    const pid = Number(pattern.exec(name)?.[1] ?? 0)
    const info = pid > 0 ? await lstat(join(folder, name)).catch(() => undefined) : undefined
    if (info && hasEnded(pid, info.mtimeMs)) found.push({ name, userId: info.uid })
  }
  return found
}

/**
 * True if process `pid`, which made something at `madeAtMs`, has ended. A younger process may have
 * its number: a container's first process always has the same one.
 */
function hasEnded(pid: number, madeAtMs: number): boolean {
  if (pid === process.pid) return madeAtMs < Date.now() - process.uptime() * 1000 - 1000
  try {
    process.kill(pid, 0)
    return false
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'ESRCH'
  }
}
