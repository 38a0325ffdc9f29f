import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config, Rate } from '../../config/config.ts'
import { contains, readNetwork } from '../../config/networks.ts'
import { addressOf, networkOf } from './address.ts'
import { AppError } from './errors.ts'
import type { RateLimiter } from './rate-limit.ts'

/** A bucket from which only failures take tokens. */
export interface Failures {
  /** Throws RATE_LIMIT_EXCEEDED if the bucket is empty. */
  check(): void
  count(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    failureLimits: ReturnType<typeof createFailureLimits>
  }
}

/** The login route's bucket by address, as register.ts names it. */
const LOGIN_BUCKET = 'POST /v1/basic_login'

const UNLIMITED: Failures = { check: () => {}, count: () => {} }

/** Limits failures by the rates of the configuration (D15). */
export function createFailureLimits(
  limiter: RateLimiter,
  { rates, exemptNetworks }: Pick<Config, 'rates' | 'exemptNetworks'>,
) {
  const exempt = exemptNetworks.map(readNetwork).filter((network) => network !== undefined)
  const isExempt = (request: FastifyRequest) => {
    const address = exempt.length > 0 ? addressOf(request) : undefined
    return address !== undefined && exempt.some((network) => contains(network, address))
  }
  const bucket = (name: string, key: string, rate: Rate, failures: string): Failures => ({
    check() {
      if (limiter.has(name, key, rate)) return
      throw new AppError('RATE_LIMIT_EXCEEDED', `Too many ${failures}; wait a minute and try again`)
    },
    count: () => limiter.charge(name, key, rate),
  })
  const ofLogin = (request: FastifyRequest, account: string) => {
    // A hash: the text that a client sends as its account may be long.
    const key = createHash('sha256')
      .update(`${networkOf(request)} ${account}`)
      .digest('base64url')
    return bucket('failed login', key, rates['failed logins'], 'failed logins to this account')
  }
  return {
    /** Whether limits by address do not apply to this client (`RATE_LIMIT_EXEMPT`). */
    isExempt,
    /** Failed logins by account and address, for exempt addresses too (D15.5). */
    ofLogin,
    /** Wrong secrets, by route and address (D15.4). */
    ofSecret(request: FastifyRequest): Failures {
      if (isExempt(request)) return UNLIMITED
      const name = `wrong secret ${request.routeOptions.url}`
      return bucket(name, networkOf(request), rates['failed secrets'], 'wrong secrets')
    },
    /** Failed logins with HTTP Basic. They also take from the bucket of the login route (P26). */
    ofBasicLogin(request: FastifyRequest, account: string): Failures {
      const ofAccount = ofLogin(request, account)
      if (isExempt(request)) return ofAccount
      const ofAddress = bucket(LOGIN_BUCKET, networkOf(request), rates.accounts, 'failed logins')
      return {
        check() {
          ofAddress.check()
          ofAccount.check()
        },
        count() {
          ofAddress.count()
          ofAccount.count()
        },
      }
    },
  }
}
