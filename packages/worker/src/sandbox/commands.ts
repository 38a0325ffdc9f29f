import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** The real path of a command, by its name in the folders of `path` or by its absolute path. */
export function findCommand(command: string, path: string): string | undefined {
  const candidates = isAbsolute(command)
    ? [command]
    : path.split(delimiter).map((folder) => join(folder, command))
  return candidates.filter(isExecutable).map((candidate) => realpathSync(candidate))[0]
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
