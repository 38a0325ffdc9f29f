import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { succeeds } from '../shared/try-or.ts'

export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The real path of a command: an absolute path, or a name in the search path `path`. */
export function findCommand(command: string, path: string): string | undefined {
  const candidates = isAbsolute(command)
    ? [command]
    : path.split(delimiter).map((folder) => join(folder, command))
  const found = candidates.find((candidate) => isAccessible(candidate, constants.X_OK))
  return found && realpathSync(found)
}

/** `mode` is one of the constants of `access`. */
export function isAccessible(file: string, mode: number): boolean {
  return succeeds(() => accessSync(file, mode))
}
