import { openSync, unlinkSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '../shared/logger.ts'
import { deleteTree, shareFile } from './files.ts'
import { listLeftBehind } from './left-behind.ts'

/** The worker's temporary folder, deleted on close. */
export type Workspace = Awaited<ReturnType<typeof openWorkspace>>

/** Opens a workspace in the temporary folder, and deletes workspaces of killed workers. */
export async function openWorkspace(logger: Logger) {
  const remove = async (path: string) => {
    const reason = await deleteTree(path)
    if (reason !== undefined) logger.warn({ path, reason }, 'a temporary folder could not be deleted')
  }
  const host = hostname().replaceAll(/[^\w.]/g, '_')
  const ofWorkers = new RegExp(`^judge-worker-${host.replaceAll('.', '\\.')}-(\\d+)-`)
  for (const { name, userId } of await listLeftBehind(tmpdir(), ofWorkers))
    if (userId === process.getuid?.()) await remove(join(tmpdir(), name))
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
    /** Makes the folder `name`, which only the worker may change. */
    makeFolder: (name: string, mode: number) => makeFolder(join(root, name), mode),
    /** Makes an empty folder with a new name. */
    createFolder: () => makeFolder(nextPath(), 0o755),
    /** Makes an empty folder that only the worker and this user can enter. */
    async createSharedFolder(userId: number | undefined): Promise<string> {
      const path = await makeFolder(nextPath(), 0o700)
      if (userId !== undefined) await chown(path, userId, userId)
      return path
    },
    /** The folder of `openInput`'s files. */
    inputFolder,
    /**
     * Makes a file, opens it for reading by the path that `through` returns, and unlinks it.
     * Without `through` a program could change the file: it is never a link. The caller closes the
     * descriptor.
     */
    async openInput(
      content: string | { readonly file: string },
      through: ((path: string) => string) | undefined,
    ): Promise<number> {
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
    /** Deletes a file or folder with `deleteTree`. Logs a failure and never throws. */
    remove,
    close: () => remove(root),
  }
}
