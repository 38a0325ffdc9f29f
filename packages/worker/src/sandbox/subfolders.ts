import { chmod, lstat, mkdir, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { deleteTree } from './delete-tree.ts'
import { type RunCommand, SandboxFailure } from './sandbox.ts'
import { shareFile } from './share-file.ts'

const ANY_USER = 0o777

/** See `Sandbox.makeSubfolder`. A program may have left anything there, also a link. */
export async function makeSubfolder(folder: string, name: string): Promise<string> {
  const path = join(folder, checkName(name))
  const reason = await deleteTree(path)
  if (reason !== undefined) throw new SandboxFailure(`the folder ${name} could not be emptied: ${reason}`)
  await mkdir(path).catch(fail(`the folder ${name} could not be made`))
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

/** Copies a run's files to the program's folder, and deletes them after `use`. */
export async function withCopiedFiles<T>(
  { folder, files = {} }: RunCommand,
  use: () => Promise<T>,
): Promise<T> {
  return withNames(folder, files, (source, target) => shareFile(source, target, false), use)
}

/**
 * Links a run's files in the empty folder `shared`, and makes the files over which they are
 * mounted. Deletes those after `use`.
 */
export async function withMountedFiles<T>(
  { folder, files = {} }: RunCommand,
  shared: string,
  use: () => Promise<T>,
): Promise<T> {
  const make = async (source: string, target: string) => {
    await shareFile(source, join(shared, basename(target)), true)
    await (await open(target, 'wx')).close()
  }
  return withNames(folder, files, make, use)
}

async function withNames<T>(
  folder: string,
  files: Readonly<Record<string, string>>,
  make: (source: string, target: string) => Promise<void>,
  use: () => Promise<T>,
): Promise<T> {
  const made: string[] = []
  try {
    for (const [name, source] of Object.entries(files)) {
      const target = join(folder, checkName(name))
      await make(source, target).catch(fail(`the file ${name} could not be shown to the program`))
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

function fail(message: string) {
  return (err: unknown): never => {
    throw new SandboxFailure(`${message}: ${err instanceof Error ? err.message : err}`)
  }
}
