import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, found from src and from dist. */
export function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

/** The version in package.json. */
export function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(projectFolder(), 'package.json'), 'utf8'),
  )
  return version
}
