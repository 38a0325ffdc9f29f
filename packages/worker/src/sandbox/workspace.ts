import { openSync, unlinkSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '../shared/logger.ts'
import { deleteTree } from './delete-tree.ts'
import { isLeftBehind } from './left-behind.ts'
import { shareFile } from './share-file.ts'

/** The worker's temporary folder, deleted on close. */
export interface Workspace {
  /** Makes the folder `name`, which only the worker may change. */
  makeFolder(name: string, mode: number): Promise<string>
  /** Makes an empty folder with a new name. */
  createFolder(): Promise<string>
  /** Makes an empty folder that only the worker and this user can enter. */
  createSharedFolder(userId: number | undefined): Promise<string>
  /** The folder of `openInput`'s files. */
  readonly inputFolder: string
  /**
   * Makes a file, opens it for reading by the path that `through` returns, and unlinks it. Without
   * `through` a program could change the file: it is never a link. The caller closes the
   * descriptor.
   */
  openInput(
    content: string | { readonly file: string },
    through: ((path: string) => string) | undefined,
  ): Promise<number>
  /** Deletes a file or folder with `deleteTree`. Logs a failure and never throws. */
  remove(path: string): Promise<void>
  close(): Promise<void>
}

/** Opens a workspace in the temporary folder, and deletes workspaces of killed workers. */
export async function openWorkspace(logger: Logger): Promise<Workspace> {
  const remove = async (path: string) => {
    const reason = await deleteTree(path)
    if (reason !== undefined) logger.warn({ path, reason }, 'a temporary folder could not be deleted')
  }
  const host = hostname().replaceAll(/[^\w.]/g, '_')
  for (const path of await listLeftBehind(`judge-worker-${host}-`)) await remove(path)
  const root = await mkdtemp(join(tmpdir(), `judge-worker-${host}-${process.pid}-`))
  // Programs of other users must reach their folders but not list them.
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
    async createSharedFolder(userId) {
      const path = await makeFolder(nextPath(), 0o700)
      if (userId !== undefined) await chown(path, userId, userId)
      return path
    },
    inputFolder,
    async openInput(content, through) {
      const path = join(inputFolder, String(++count))
      // Any user may read it: programs can open /dev/stdin.
      if (typeof content === 'string') await writeFile(path, content, { mode: 0o644 })
      else await shareFile(content.file, path, through !== undefined)
      try {
        return openSync(through?.(path) ?? path, 'r')
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
