import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { usageError } from '../shared/errors.ts'
import { checkService, LOCK_NAME, lockFileOf, readLock } from './lock.ts'
import { ownTimeZone } from './times.ts'

/** The largest id that the service knows. */
const MOST = 2 ** 31 - 1

/** The help of the argument or option that names a contest. */
export const CONTEST_HELP = `id, or contest file or its folder (default: ${LOCK_NAME} in this folder)`

/** A contest that the user has named. */
export interface NamedContest {
  readonly id: number
  /** Of its contest file, or else of this computer. */
  readonly timeZone: string
  /** Where people reach the service: of its contest file, or else the address of the command. */
  readonly address: string
  /** True if the name was a file or a folder, or left out. */
  readonly hasFile: boolean
}

/**
 * Finds a contest: the name is an id, or the path of a contest file, its lock or their folder;
 * without a name the lock is in the current folder. `url` is the address of the service. Throws a
 * usage error.
 */
export async function locateContest(name: string | undefined, url: string): Promise<NamedContest> {
  if (name !== undefined && /^\d+$/.test(name))
    return { id: readId(name), timeZone: ownTimeZone(), address: url, hasFile: false }
  const file = await findLockFile(name)
  const lock = await readLock(file)
  if (lock === undefined) throw missingLock(name, file)
  checkService(file, lock, url)
  const { contest: id, time_zone: timeZone = ownTimeZone(), address = url } = lock
  if (id !== undefined) return { id, timeZone, address, hasFile: true }
  throw usageError(`${file}: has no contest yet. Create it with: judge contest apply`)
}

function readId(name: string): number {
  const id = Number(name)
  if (id >= 1 && id <= MOST) return id
  throw usageError(`${name}: is not the id of a contest. List the contests with: judge contest list`)
}

async function findLockFile(name: string | undefined): Promise<string> {
  if (name === undefined) return LOCK_NAME
  if ((await stat(name)).isDirectory()) return join(name, LOCK_NAME)
  return name.endsWith('.lock') ? name : lockFileOf(name)
}

function missingLock(name: string | undefined, file: string) {
  if (name === undefined)
    return usageError(
      `Which contest? This folder has no ${LOCK_NAME}. Name the contest by its id (judge contest list), or by the path of its contest file.`,
    )
  return usageError(
    `${file}: there is no such file, so the contest is not created yet. Create it with: judge contest apply ${name}`,
  )
}
