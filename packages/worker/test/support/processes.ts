import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** The processes with this text in the command line; none without /proc. */
export function findProcesses(text: string): number[] {
  return readOr(() => readdirSync('/proc'), [])
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => readOr(() => readFileSync(`/proc/${name}/cmdline`, 'utf8'), '').includes(text))
    .map(Number)
}

/** The result; `otherwise` if a file or process is gone. */
export function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** The running children of a process. */
export async function listChildren(pid = 'self'): Promise<string[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = threads.map((id) => readFile(`/proc/${pid}/task/${id}/children`, 'utf8').catch(() => ''))
  return (await Promise.all(lists)).join(' ').split(' ').filter(Boolean)
}
