import { openSync, unlinkSync } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '../logger.ts'
import { deleteTree } from './delete-tree.ts'
import { isLeftBehind } from './left-behind.ts'

/** The worker's temporary files: one folder, gone when it is closed. */
export interface Workspace {
  /** Makes the folder `name`, which nobody but the worker changes. */
  makeFolder(name: string, mode: number): Promise<string>
  /** Makes an empty folder with a new name. */
  createFolder(): Promise<string>
  /** Where `openInput` makes its files. */
  readonly inputFolder: string
  /**
   * Opens a file with this content for reading, by the path that `through` gives. The file has no
   * name any more; the caller closes the descriptor.
   */
  openInput(content: string, through?: (path: string) => string): Promise<number>
  /** Deletes a file or folder with `deleteTree`. Logs a failure and never throws. */
  remove(path: string): Promise<void>
  close(): Promise<void>
}

/** Opens a workspace in the system's temporary folder, after removing those of workers that were killed. */
export async function openWorkspace(logger: Logger): Promise<Workspace> {
  const remove = async (path: string) => {
    const reason = await deleteTree(path)
    if (reason !== undefined) logger.warn({ path, reason }, 'a temporary folder could not be deleted')
  }
  const host = hostname().replaceAll(/[^\w.]/g, '_')
  for (const path of await listLeftBehind(`judge-worker-${host}-`)) await remove(path)
  const root = await mkdtemp(join(tmpdir(), `judge-worker-${host}-${process.pid}-`))
  // A program that runs as another user must reach its own folder, whose name it cannot list.
  await chmod(root, 0o711)
  let count = 0
  const nextPath = () => join(root, String(++count))
  const makeFolder = async (path: string, mode: number) => {
    await mkdir(path, { mode })
    return path
  }
  const inputFolder = await makeFolder(join(root, 'inputs'), 0o700)
  return {
    makeFolder: (name, mode) => makeFolder(join(root, name), mode),
    createFolder: () => makeFolder(nextPath(), 0o755),
    inputFolder,
    async openInput(content, through = (path) => path) {
      const path = join(inputFolder, String(++count))
      // Any user may read it: programs open it again as /dev/stdin.
      await writeFile(path, content, { mode: 0o644 })
      try {
        return openSync(through(path), 'r')
      } finally {
        unlinkSync(path)
      }
    },
    remove,
    close: () => remove(root),
  }
}

async function listLeftBehind(prefix: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const path = join(tmpdir(), name)
    const info = await lstat(path).catch(() => undefined)
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (info && info.uid === process.getuid?.() && isLeftBehind(pid, info.mtimeMs)) found.push(path)
  }
  return found
}
