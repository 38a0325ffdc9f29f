import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { AppError } from '../../http/routing/errors.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Answers the account if the password is its own. It is looked up only once there is time to hash: a login that is refused costs the
   * database nothing. No account, or one without a password, costs the same time (D11).
   */
  findByPassword<A extends { readonly password_hash: string | null }>(
    find: () => Promise<A | undefined>,
    password: string,
  ): Promise<A | undefined>
}

/** OWASP's argon2id: 19 MiB, two passes, no parallelism. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of random bytes that nobody has kept; made with the same parameters. Made anew at every start it would cost 19 MiB of idle memory. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$ypwKNs8ws609KNhEU0gRyQ$2E/n8SbvekZoDgsVHFhJ94/zUkMVcH0uaeOyAuChHOY'

interface PasswordBounds {
  /** Most passwords that are hashed at once. */
  readonly inFlight?: number
  /** Most that wait for that, and how long each may. */
  readonly waiting?: number
  readonly waitMs?: number
}

/**
 * Hashes passwords with argon2id, `inFlight` at once: each takes a core for some 30 ms and 19 MiB, and the rest of the service must go
 * on. Throws UNAVAILABLE when too many wait already, and, before any work, for those that have waited so long that their answer would
 * come too late: in a flood, every hash that is made is one that somebody still waits for.
 */
export function createPasswords(bounds: PasswordBounds = {}): Passwords {
  const { inFlight = hashesAtOnce(availableParallelism()), waiting = 200, waitMs = 1000 } = bounds
  const limit = pLimit(inFlight)
  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= waiting) throw new AppError('UNAVAILABLE', TOO_MANY)
    const askedAtMs = performance.now()
    return limit(async () => {
      if (performance.now() - askedAtMs > waitMs) throw new AppError('UNAVAILABLE', TOO_MANY)
      return work()
    })
  }
  return {
    hash: (password) => bounded(() => hash(password, PARAMETERS)),
    findByPassword: (find, password) =>
      bounded(async () => {
        const account = await find()
        const passwordHash = account?.password_hash ?? null
        const matches = await verify(passwordHash ?? NOBODYS_HASH, password)
        return matches && passwordHash !== null ? account : undefined
      }),
  }
}

/** A core is left to the rest of the service, and one of libuv's four threads to what is quick there: tokens' signatures, a list's compression. */
export function hashesAtOnce(cores: number): number {
  return Math.min(3, Math.max(1, cores - 1))
}

const TOO_MANY = 'Too many logins at once; try again shortly'
