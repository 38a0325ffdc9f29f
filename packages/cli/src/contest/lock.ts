import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { parse, stringify } from 'yaml'
import { usageError } from '../shared/errors.ts'
import { ignoreMissing, replaceFile } from '../shared/files.ts'
import { tryParse } from '../shared/text.ts'

/** The name of the file next to the contest file. */
export const LOCK_NAME = 'contest.lock'

const LockedProblem = Type.Object({
  /** The `problem_id`. */
  id: Type.Integer({ minimum: 1 }),
  /** The hash of the package that the service has; absent while the package is replaced. */
  package: Type.Optional(Type.String()),
})

/** A creation whose response has not arrived: the record may exist, with a larger id. */
const Creation = Type.Object({ after: Type.Integer({ minimum: 0 }) })

const ContestCreation = Type.Object({
  ...Creation.properties,
  title: Type.String(),
  problems: Type.Array(Type.Integer()),
})

const LockSchema = Type.Object({
  /** The address of the service. */
  service: Type.String(),
  /** Of the contest file. */
  time_zone: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
  contest: Type.Optional(Type.Integer({ minimum: 1 })),
  creating: Type.Optional(ContestCreation),
  /** By the path of the package in the contest file. */
  problems: Type.Record(Type.String(), LockedProblem),
  importing: Type.Optional(Type.Record(Type.String(), Creation)),
  /** Files with passwords of accounts whose creation has no response yet. */
  credentials: Type.Optional(Type.Array(Type.String())),
})

/** The records that `judge contest apply` has created at the service. */
export type Lock = Type.Static<typeof LockSchema>

/** The path of the lock of a contest file. */
export const lockFileOf = (contestFile: string) => join(dirname(contestFile), LOCK_NAME)

/** Reads a lock; undefined if there is none. Throws a usage error for a broken one. */
export async function readLock(file: string): Promise<Lock | undefined> {
  const text = await readFile(file, 'utf8').catch(ignoreMissing)
  if (text === undefined) return undefined
  const lock = tryParse(parse, text)
  if (Check(LockSchema, lock)) return lock
  throw usageError(
    `${file}: is damaged. Restore it from a copy, or write it anew: service: URL, contest: ID, problems: {}.`,
  )
}

/** Replaces the file at once: an interrupted write leaves the old one. */
function writeLock(file: string, lock: Lock): Promise<void> {
  const comment =
    '# Written by `judge contest apply`: the ids at the service. Keep it with the contest file.\n'
  return replaceFile(file, comment + stringify(lock))
}

/** Throws a usage error if the ids belong to another service. */
export function checkService(file: string, lock: Lock, url: string): void {
  if (lock.service === url) return
  throw usageError(
    `${file}: its ids belong to ${lock.service}, not to ${url}. Use --url ${lock.service}. If the service has a new address, change it in the file. To create the contest at another service, move the file away.`,
  )
}

/** The lock of a contest while it changes: it is on the disk before the next request is sent. */
export type LockKeeper = ReturnType<typeof keepLock>

/** Keeps a lock in its file, which is written at the first change. */
export function keepLock(file: string, initial: Lock) {
  let lock = initial
  const set = async (next: Lock) => {
    await writeLock(file, next)
    lock = next
  }
  return {
    get lock() {
      return lock
    },
    update: (changes: Partial<Lock>) => set({ ...lock, ...changes }),
    /** Removes a field. */
    drop: (name: 'creating' | 'importing' | 'credentials') => {
      const { [name]: _, ...rest } = lock
      return set(rest)
    },
  }
}
