import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The real path of a command: an absolute path, or a name in the search path `path`. */
export function findCommand(command: string, path: string): string | undefined {
  const candidates = isAbsolute(command)
    ? [command]
    : path.split(delimiter).map((folder) => join(folder, command))
  return candidates.filter(isExecutable).map((candidate) => realpathSync(candidate))[0]
}

export function isReadable(file: string): boolean {
  return isAccessible(file, constants.R_OK)
}

function isExecutable(file: string): boolean {
  return isAccessible(file, constants.X_OK)
}

function isAccessible(file: string, mode: number): boolean {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return false
  }
}
