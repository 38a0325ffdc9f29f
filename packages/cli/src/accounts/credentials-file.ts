import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCsv } from '../shared/csv.ts'
import { usageError } from '../shared/errors.ts'

/** A new account and its password. */
export interface NewAccount {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly team?: string
}

/** A new file that nobody else can read. */
export interface PrivateFile {
  readonly path: string
  /** Writes the text and closes the file. When it resolves, the text is on the disk. */
  write(text: string): Promise<void>
  /** Closes and deletes the file, also after it was written. */
  discard(): Promise<void>
}

/** Creates a file. Throws a usage error if it exists. */
export async function createPrivateFile(path: string): Promise<PrivateFile> {
  return toPrivateFile(await openNew(path))
}

/**
 * Creates the file for `formatCredentials`. `output` names the file, or a folder for a new file
 * such as `credentials-20261201-090000.csv`.
 */
export async function createCredentialsFile(
  output: string | undefined,
  now: Date = new Date(),
): Promise<PrivateFile> {
  if (output === undefined) return toPrivateFile(await openUnused('', now))
  const isFolder = (await stat(output).catch(() => undefined))?.isDirectory() === true
  return isFolder ? toPrivateFile(await openUnused(output, now)) : createPrivateFile(output)
}

/** The text of the file: columns as in the file of an import. */
export function formatCredentials(accounts: readonly NewAccount[]): string {
  const rows = accounts.map(({ name, email, team, password }) => [name, email, team, password])
  return formatCsv(['name', 'email', 'team', 'password'], rows)
}

interface OpenFile {
  readonly path: string
  readonly handle: FileHandle
}

function toPrivateFile({ path, handle }: OpenFile): PrivateFile {
  return {
    path,
    async write(text) {
      try {
        await handle.writeFile(text)
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
    async discard() {
      await handle.close()
      await rm(path, { force: true })
    },
  }
}

async function openNew(path: string): Promise<OpenFile> {
  try {
    return { path, handle: await open(path, 'wx', 0o600) }
  } catch (err) {
    if (Object(err).code !== 'EEXIST') throw err
    throw usageError(`${path} exists already. Choose another name.`)
  }
}

/** Two commands may start in the same second. */
async function openUnused(folder: string, now: Date): Promise<OpenFile> {
  const time = formatLocalTime(now)
  for (let number = 1; ; number += 1) {
    const path = join(folder, `credentials-${time}${number === 1 ? '' : `-${number}`}.csv`)
    try {
      return { path, handle: await open(path, 'wx', 0o600) }
    } catch (err) {
      if (Object(err).code !== 'EEXIST') throw err
    }
  }
}

/** Such as `20261201-090000`, in the time zone of the computer. */
function formatLocalTime(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
}
