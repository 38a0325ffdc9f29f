import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { AppError } from './errors.ts'

export type Passwords = ReturnType<typeof createPasswords>

/** OWASP's argon2id: 19 MiB, two passes, no parallelism. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of discarded random bytes. Computing one at start would keep 19 MiB of memory. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$ypwKNs8ws609KNhEU0gRyQ$2E/n8SbvekZoDgsVHFhJ94/zUkMVcH0uaeOyAuChHOY'

/**
 * Hashes passwords with argon2id, `inFlight` at once: a hash takes some 30 ms of a core and 19 MiB.
 * Throws UNAVAILABLE if `waiting` requests wait, and for one that waited longer than `waitMs`.
 */
export function createPasswords({
  inFlight = hashesAtOnce(availableParallelism()),
  waiting = 200,
  waitMs = 1000,
} = {}) {
  const limit = pLimit(inFlight)
  // Of many passwords, only these are in the queue.
  const lane = pLimit(inFlight)
  let waitingRequests = 0
  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= waiting + lane.activeCount) throw new AppError('UNAVAILABLE', TOO_MANY)
    const askedAtMs = performance.now()
    waitingRequests += 1
    return limit(async () => {
      waitingRequests -= 1
      if (performance.now() - askedAtMs > waitMs) throw new AppError('UNAVAILABLE', TOO_MANY)
      return work()
    })
  }
  const behindRequests = async (work: () => Promise<string>): Promise<string> => {
    for (;;) {
      // Requests that wait are before the end of the queue, where the next turn is.
      const result = await limit(async () => (waitingRequests > 0 ? undefined : work()))
      if (result !== undefined) return result
    }
  }
  return {
    hash: (password: string) => bounded(() => hash(password, PARAMETERS)),
    /**
     * Hashes one of many passwords, however long it waits. Waiting requests go first: a login waits
     * for at most one hash of this kind. Throws if `isWanted` is false when its turn comes.
     */
    hashAmongMany: (password: string, isWanted: () => boolean) =>
      lane(() =>
        behindRequests(async () => {
          if (!isWanted()) throw new AppError('UNAVAILABLE', 'Nobody waits for the response')
          return hash(password, PARAMETERS)
        }),
      ),
    /**
     * Returns the account if the password matches; runs `find` only when a hash may start. No
     * account and no password take the same time (D11). Throws UNAVAILABLE.
     */
    findByPassword: <A extends { readonly password_hash: string | null }>(
      find: () => Promise<A | undefined>,
      password: string,
    ) =>
      bounded(async () => {
        const account = await find()
        const passwordHash = account?.password_hash ?? null
        const matches = await verify(passwordHash ?? DUMMY_HASH, password)
        return matches && passwordHash !== null ? account : undefined
      }),
  }
}

/** Leaves a core to the service, and one of libuv's four threads to signatures and compression. */
export function hashesAtOnce(cores: number): number {
  return Math.min(3, Math.max(1, cores - 1))
}

const TOO_MANY = 'Too many logins at once; try again shortly'
