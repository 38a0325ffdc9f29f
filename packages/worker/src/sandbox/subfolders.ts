import { chmod, lstat, mkdir, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { deleteTree, shareFile } from './files.ts'
import { failAs, type RunCommand, SandboxFailure } from './sandbox.ts'

const ANY_USER = 0o777

/** See `Sandbox.makeSubfolder`. A program may have left anything there, also a link. */
export async function makeSubfolder(folder: string, name: string): Promise<string> {
  const path = join(folder, checkName(name))
  const reason = await deleteTree(path)
  if (reason !== undefined) throw new SandboxFailure(`the folder ${name} could not be emptied: ${reason}`)
  await mkdir(path).catch(failAs(`the folder ${name} could not be made`))
  await chmod(path, ANY_USER)
  return path
}

/** Throws `SandboxFailure` unless all writable folders are folders: a link could lead anywhere. */
export async function checkSubfolders({ folder, writableFolders = [] }: RunCommand): Promise<void> {
  for (const name of writableFolders) {
    const info = await lstat(join(folder, checkName(name))).catch(() => undefined)
    if (!info?.isDirectory()) throw new SandboxFailure(`${name} is not a folder`)
  }
}

/**
 * Shows a run's files in the program's folder during `use`: as copies, or with the empty folder
 * `shared` as links there, beside the files over which they are mounted.
 */
export async function withFiles<T>(
  { folder, files = {} }: RunCommand,
  shared: string | undefined,
  use: () => Promise<T>,
): Promise<T> {
  const made: string[] = []
  const show = async (source: string, target: string) => {
    if (shared === undefined) return shareFile(source, target, false)
    await shareFile(source, join(shared, basename(target)), true)
    await (await open(target, 'wx')).close()
  }
  try {
    for (const [name, source] of Object.entries(files)) {
      const target = join(folder, checkName(name))
      await show(source, target).catch(failAs(`the file ${name} could not be shown to the program`))
      made.push(target)
    }
    return await use()
  } finally {
    for (const path of made) await rm(path, { force: true })
  }
}

function checkName(name: string): string {
  if (name !== basename(name) || name === '' || name === '.' || name === '..')
    throw new SandboxFailure(`"${name}" is not the name of a file in the program's folder`)
  return name
}
