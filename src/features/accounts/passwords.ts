import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { AppError } from '../../http/errors.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** Compares with an account's hash; without one it costs the same time and answers false (D11). */
  verify(passwordHash: string | null, password: string): Promise<boolean>
}

/** OWASP's argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of random bytes that nobody has kept; made with the same parameters. Made anew at every start it would cost 19 MiB of idle memory. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$ypwKNs8ws609KNhEU0gRyQ$2E/n8SbvekZoDgsVHFhJ94/zUkMVcH0uaeOyAuChHOY'

/**
 * Hashes passwords with argon2id, at most `inFlight` at once: each takes a core for some 30 ms and 19 MiB, and the rest of the service
 * must go on. Throws UNAVAILABLE when `waiting` already queue up.
 */
export function createPasswords({ inFlight = 2, waiting = 200 } = {}): Passwords {
  const limit = pLimit(inFlight)
  const bounded = <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= waiting)
      throw new AppError('UNAVAILABLE', 'Too many logins at once; try again shortly')
    return limit(work)
  }
  return {
    hash: async (password) => bounded(() => hash(password, PARAMETERS)),
    verify: async (passwordHash, password) => {
      const matches = await bounded(() => verify(passwordHash ?? NOBODYS_HASH, password))
      return matches && passwordHash !== null
    },
  }
}
