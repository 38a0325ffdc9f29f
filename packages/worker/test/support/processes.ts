import { readdirSync, readFileSync } from 'node:fs'

/** The processes with this text in the command line; none without /proc. */
export function findProcesses(text: string): number[] {
  return readOr(() => readdirSync('/proc'), [])
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => readOr(() => readFileSync(`/proc/${name}/cmdline`, 'utf8'), '').includes(text))
    .map(Number)
}

function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
