import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import { promisify } from 'node:util'

const TIMEOUT_MS = 5000
const USER_MANAGER = /\/user@\d+\.service\//
const UNIT = /\.(service|scope)$/

/** The name of the systemd unit whose control group this is; undefined for other groups. */
export function findUnit(group: string): string | undefined {
  const name = basename(group)
  return UNIT.test(name) ? name : undefined
}

/** True if the group belongs to the systemd manager of a user. */
export function isOfUserManager(group: string): boolean {
  return USER_MANAGER.test(group)
}

/**
 * True if systemd leaves this control group to the processes in it (`Delegate=`). False also
 * without systemd.
 */
export async function isDelegated(group: string): Promise<boolean> {
  const unit = findUnit(group)
  if (unit === undefined) return false
  const manager = isOfUserManager(group) ? ['--user'] : []
  const args = [...manager, 'show', '--property=Delegate', '--value', '--', unit]
  const asked = promisify(execFile)('systemctl', args, { timeout: TIMEOUT_MS })
  return asked.then(
    ({ stdout }) => stdout.trim() === 'yes',
    () => false,
  )
}

/** How a process of this group (version 2) gets one for programs; empty if nothing is known. */
export async function adviseDelegation(group: string, mountPoint: string): Promise<string> {
  if (group === mountPoint) return "Give the worker write access to its container's /sys/fs/cgroup."
  const unit = findUnit(group)
  if (await isDelegated(group)) return ''
  if (unit?.endsWith('.service')) return `Set Delegate=yes in the unit ${unit}.`
  const manager = process.getuid?.() === 0 ? '' : ' --user'
  return (
    'Start it in a control group of its own: as the unit judge-worker.service or judge.service, or with ' +
    `systemd-run${manager} --scope -p Delegate=yes before the command.`
  )
}
