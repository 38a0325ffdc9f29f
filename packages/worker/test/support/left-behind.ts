import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries) {
    if (!entry.isDirectory()) continue
    const path = join(parent, entry.name)
    if (isWanted(entry.name)) found.push(path)
    else if (depth > 1) found.push(...(await findFolders(path, isWanted, depth - 1)))
  }
  return found
}
