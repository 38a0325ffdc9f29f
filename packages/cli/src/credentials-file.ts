import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCsv } from './csv.ts'
import { usageError } from './errors.ts'

/** A new account and its password. */
export interface NewAccount {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly team?: string
}

/** A file for passwords: nobody else can read it. */
export interface CredentialsFile {
  readonly path: string
  /** Writes the accounts and closes the file. When it resolves, they are on the disk. */
  write(accounts: readonly NewAccount[]): Promise<void>
  /** Closes and deletes the file: there are no passwords. */
  discard(): Promise<void>
}

/**
 * Creates a new file before the passwords exist: they are shown only once. `output` names the file,
 * or a folder for a file such as `credentials-20261201-090000.csv`. Throws a usage error if the file
 * exists.
 */
export async function createCredentialsFile(
  output: string | undefined,
  now: Date = new Date(),
): Promise<CredentialsFile> {
  const isFolder = output !== undefined && (await stat(output).catch(() => undefined))?.isDirectory() === true
  const { path, handle } =
    output === undefined || isFolder ? await openUnused(output ?? '', now) : await openNew(output)
  return {
    path,
    async write(accounts) {
      try {
        await handle.writeFile(formatCredentials(accounts))
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
    async discard() {
      await handle.close()
      await rm(path)
    },
  }
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

async function openNew(path: string): Promise<OpenFile> {
  try {
    return { path, handle: await open(path, 'wx', 0o600) }
  } catch (err) {
    if (Object(err).code !== 'EEXIST') throw err
    throw usageError(`${path} exists already. Choose another name with -o.`)
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
