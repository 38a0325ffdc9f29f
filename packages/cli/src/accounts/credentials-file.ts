import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCsv } from '../shared/csv.ts'
import { usageError } from '../shared/errors.ts'
import { isFolder } from '../shared/files.ts'
import type { Person } from './people-csv.ts'

/** A new account and its password. */
export interface NewAccount extends Person {
  readonly password: string
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
  const file = await tryCreate(path)
  if (file === undefined) throw usageError(`${path} exists already. Choose another name.`)
  return file
}

/** Creates the file `output`, or one such as `credentials-20261201-090000.csv` in that folder. */
export async function createCredentialsFile(output: string | undefined): Promise<PrivateFile> {
  if (output !== undefined && !(await isFolder(output))) return createPrivateFile(output)
  const name = `credentials-${formatLocalTime(new Date())}`
  // Two commands may start in the same second.
  for (let number = 1; ; number += 1) {
    const path = join(output ?? '', `${name}${number === 1 ? '' : `-${number}`}.csv`)
    const file = await tryCreate(path)
    if (file !== undefined) return file
  }
}

/** The text of the file: columns as in the file of an import. */
export function formatCredentials(accounts: readonly NewAccount[]): string {
  const rows = accounts.map(({ name, email, team, password }) => [name, email, team, password])
  return formatCsv(['name', 'email', 'team', 'password'], rows)
}

/** Undefined if the file exists. */
async function tryCreate(path: string): Promise<PrivateFile | undefined> {
  const handle = await open(path, 'wx', 0o600).catch((err: unknown) => {
    if (Object(err).code === 'EEXIST') return undefined
    throw err
  })
  if (handle === undefined) return undefined
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

/** Such as `20261201-090000`, in the time zone of the computer. */
function formatLocalTime(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
}
