/**
 * True if process `pid`, which made something at `madeAtMs`, has ended. A younger process may have
 * its number: a container's first process always has the same one.
 */
export function isLeftBehind(pid: number, madeAtMs: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  if (pid === process.pid) return madeAtMs < Date.now() - process.uptime() * 1000 - 1000
  try {
    process.kill(pid, 0)
    return false
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'ESRCH'
  }
}
