import { readFileSync } from 'node:fs'

/** The version in the worker's package.json, found from src and from dist. */
export function readVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return version
}
