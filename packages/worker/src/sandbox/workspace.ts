import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isLeftBehind } from './left-behind.ts'

/** The worker's temporary files: one folder, gone when it is closed. */
export interface Workspace {
  /** An empty folder that belongs to `ownerId` where one is given (needs root). */
  createFolder(ownerId?: number): Promise<string>
  createFile(content: string): Promise<string>
  remove(path: string): Promise<void>
  close(): Promise<void>
}

/** Opens a workspace in the system's temporary folder, after removing those of workers that were killed. */
export async function openWorkspace(): Promise<Workspace> {
  const host = hostname().replaceAll(/[^\w.]/g, '_')
  await removeLeftBehind(`judge-worker-${host}-`)
  const root = await mkdtemp(join(tmpdir(), `judge-worker-${host}-${process.pid}-`))
  // A program that runs as another user must reach its own folder, whose name it cannot list.
  await chmod(root, 0o711)
  let count = 0
  const nextPath = () => join(root, String(++count))
  const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })
  return {
    async createFolder(ownerId) {
      const path = nextPath()
      await mkdir(path, { mode: 0o755 })
      if (ownerId !== undefined) await chown(path, ownerId, ownerId)
      return path
    },
    async createFile(content) {
      const path = nextPath()
      await writeFile(path, content, { mode: 0o644 })
      return path
    },
    remove,
    close: () => remove(root),
  }
}

async function removeLeftBehind(prefix: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const path = join(tmpdir(), name)
    const info = await stat(path).catch(() => undefined)
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (info && info.uid === process.getuid?.() && isLeftBehind(pid, info.mtimeMs)) {
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
    }
  }
}
