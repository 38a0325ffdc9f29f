import { type Lock, writeLock } from './lock.ts'

/** The lock of a contest while it changes: it is on the disk before the next request is sent. */
export interface LockKeeper {
  readonly lock: Lock
  update(changes: Partial<Lock>): Promise<void>
  /** Removes a field. */
  drop(name: 'creating' | 'importing' | 'credentials'): Promise<void>
}

/** Keeps a lock in its file, which is written at the first change. */
export function keepLock(file: string, initial: Lock): LockKeeper {
  let lock = initial
  const set = async (next: Lock) => {
    await writeLock(file, next)
    lock = next
  }
  return {
    get lock() {
      return lock
    },
    update: (changes) => set({ ...lock, ...changes }),
    drop: (name) => {
      const { [name]: _, ...rest } = lock
      return set(rest)
    },
  }
}
