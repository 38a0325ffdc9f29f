import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import { promisify } from 'node:util'

/** For systemd, also on a slow machine. */
const TIMEOUT_MS = 30_000
const USER_MANAGER = /\/user@(\d+)\.service\//
const UNIT = /\.(service|scope)$/

/** True if the group belongs to the systemd manager of a user. */
export function isOfUserManager(group: string): boolean {
  return USER_MANAGER.test(group)
}

/**
 * True if systemd leaves this control group of the hierarchy at `mountPoint` to the processes in it
 * (`Delegate=`). False also without systemd.
 */
export async function isDelegated(group: string, mountPoint: string): Promise<boolean> {
  return (await readUnit(group, mountPoint))?.Delegate === 'yes'
}

/** How a process of this group (version 2) gets one for programs; empty if nothing is known. */
export async function adviseDelegation(group: string, mountPoint: string): Promise<string> {
  if (group === mountPoint) return "Give the worker write access to its container's /sys/fs/cgroup."
  const unit = await readUnit(group, mountPoint)
  if (unit?.Delegate === 'yes') return ''
  // Not the unit of another program, such as cron or an SSH server.
  const isMain = [process.pid, process.ppid].includes(Number(unit?.MainPID))
  if (isMain) return `Set Delegate=yes in the unit ${basename(group)}.`
  const manager = process.getuid?.() === 0 ? '' : ' --user'
  return (
    'Start it in a control group of its own: as the unit judge-worker.service or judge.service, or with ' +
    `systemd-run${manager} --scope -p Delegate=yes before the command.`
  )
}

/** Properties of the systemd unit whose control group this is; undefined without one. */
async function readUnit(group: string, mountPoint: string): Promise<Record<string, string> | undefined> {
  const name = basename(group)
  if (!UNIT.test(name)) return undefined
  const userId = USER_MANAGER.exec(group)?.[1]
  const args = [...(userId ? ['--user'] : []), 'show', '--property=ControlGroup,Delegate,MainPID', '--', name]
  // A supervised worker does not have this variable.
  const env = { ...process.env, ...(userId && { XDG_RUNTIME_DIR: `/run/user/${userId}` }) }
  const asked = promisify(execFile)('systemctl', args, { env, timeout: TIMEOUT_MS })
  const lines = await asked.then(
    ({ stdout }) => stdout.split('\n'),
    () => [],
  )
  const unit = Object.fromEntries(lines.map((line) => line.split('=', 2)))
  // A group elsewhere may have the name of a unit.
  return `${mountPoint}${unit.ControlGroup}` === group ? unit : undefined
}
