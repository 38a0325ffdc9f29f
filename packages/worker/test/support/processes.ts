import { type StdioOptions, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

const CGROUPS = '/sys/fs/cgroup'
const CGROUP_DEPTH = 4

/** The remaining temporary folders and control groups of the worker with this process id. */
export async function findLeftBehind(pid: number | undefined): Promise<string[]> {
  const isOwn = (name: string) => name.startsWith('judge-') && `${name}-`.includes(`-${pid}-`)
  const folders = (await readdir(tmpdir())).filter(isOwn)
  return [...folders, ...(await findFolders(CGROUPS, isOwn, CGROUP_DEPTH))]
}

async function findFolders(
  parent: string,
  isWanted: (name: string) => boolean,
  depth: number,
): Promise<string[]> {
  // There are no control groups, or another process removed this one.
  const found: string[] = []
  for (const entry of await readdir(parent, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory()) continue
    const path = join(parent, entry.name)
    if (isWanted(entry.name)) found.push(path)
    else if (depth > 1) found.push(...(await findFolders(path, isWanted, depth - 1)))
  }
  return found
}

/** Starts an ES module as a process. */
export function startScript(script: string, stdio?: StdioOptions) {
  const flags = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', script]
  const child = spawn(process.execPath, flags, stdio ? { stdio } : {})
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return {
    child,
    get output() {
      return output
    },
  }
}
