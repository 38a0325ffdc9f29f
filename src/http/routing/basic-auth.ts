import { isUtf8 } from 'node:buffer'
import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../db/database.ts'
import type { Statement } from '../../db/statement.ts'
import { networkOf } from './address.ts'
import { AppError } from './errors.ts'
import type { Passwords } from './passwords.ts'
import type { Claims } from './tokens.ts'

export interface BasicCredentials {
  readonly email: string
  readonly password: string
}

/** The login's statement. No id: no account has this e-mail. `key` stands for it in limits. */
type FindAccount = Statement<
  { key: string } & (
    | { id: string; is_admin: boolean; session_version: number; password_hash: string | null }
    | { id: null }
  ),
  { readonly email: string }
>

/** The request that sends the credentials; nothing is hashed after its client has gone. */
interface Sender {
  readonly request: FastifyRequest
  readonly database: Queryable
  readonly isWaiting: () => boolean
}

export type BasicAuth = ReturnType<typeof createBasicAuth>

/** Accounts in memory: more than use the service at once. */
const MOST_REMEMBERED = 10_000
/** After the last use. */
const REMEMBERED_MS = 15 * 60_000

/**
 * Returns a function that reads an account's claims, with its present role, from the credentials of
 * HTTP Basic (RFC 7617, P26). It throws INVALID_CREDENTIALS, RATE_LIMIT_EXCEEDED or UNAVAILABLE.
 *
 * Every request reads the account. Only the comparison of a password with its hash is remembered,
 * as an HMAC of both: a new password, a new e-mail or a deleted user takes effect at once, and
 * other spellings of an e-mail cost no hash.
 */
export function createBasicAuth(passwords: Passwords, findAccount: FindAccount) {
  const processKey = randomBytes(32)
  const sessions = new LRUCache<string, number>({
    ...{ max: MOST_REMEMBERED, ttl: REMEMBERED_MS, updateAgeOnGet: true },
  })
  const share = createSharing()
  return async (
    { email, password }: BasicCredentials,
    { request, database, isWaiting }: Sender,
  ): Promise<Claims> => {
    const [account] = await database.query(findAccount, { email: email.trim() })
    if (account === undefined) throw new Error('the statement returned no row')
    const known = account.id === null ? undefined : account
    const compared = JSON.stringify([account.key, account.id, known?.password_hash, password])
    const mark = createHmac('sha256', processKey).update(compared).digest('base64url')
    const isRemembered = known !== undefined && sessions.get(mark) === known.session_version
    const compare = async (isWanted: () => boolean) => {
      const failures = request.server.failureLimits.ofBasicLogin(request, account.key)
      failures.check()
      const atItsTurn = async () => {
        if (!isWanted()) throw new AppError('UNAVAILABLE', 'Nobody waits for the response')
        failures.check()
        return known
      }
      const matches = (await passwords.findByPassword(atItsTurn, password)) !== undefined
      if (!matches) failures.count()
      else if (known !== undefined) sessions.set(mark, known.session_version)
      return matches
    }
    // Failures count by network, so networks do not share them.
    const matches = isRemembered || (await share(`${mark} ${networkOf(request)}`, isWaiting, compare))
    if (!matches || known === undefined) throw new AppError('INVALID_CREDENTIALS', 'Invalid credentials')
    return { id: known.id, role: known.is_admin ? 2 : 0, sessionVersion: known.session_version }
  }
}

/** Concurrent requests with the same name share one result, wanted while one of them waits. */
function createSharing() {
  const running = new Map<
    string,
    { readonly result: Promise<boolean>; readonly waiting: (() => boolean)[] }
  >()
  return (
    name: string,
    isWaiting: () => boolean,
    work: (isWanted: () => boolean) => Promise<boolean>,
  ): Promise<boolean> => {
    const found = running.get(name)
    if (found !== undefined) {
      found.waiting.push(isWaiting)
      return found.result
    }
    const waiting = [isWaiting]
    const result = work(() => waiting.some((isOneWaiting) => isOneWaiting())).finally(() =>
      running.delete(name),
    )
    running.set(name, { result, waiting })
    return result
  }
}

/** Whether a header has credentials of HTTP Basic. */
export const isBasic = (authorization: string) => /^basic(?:\s|$)/i.test(authorization)

const BASIC = /^basic +([a-z\d+/]+={0,2})$/i

/** Control characters, which RFC 7617 forbids. PostgreSQL could not compare U+0000. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Reads the credentials of HTTP Basic, in UTF-8 or else in Latin-1. The first colon ends the
 * e-mail. Throws UNAUTHORIZED.
 */
export function readBasic(authorization: string): BasicCredentials {
  const bytes = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64')
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  const colon = text.indexOf(':')
  if (colon === -1 || CONTROL.test(text)) {
    throw new AppError(
      'UNAUTHORIZED',
      'Basic credentials must be an e-mail, a colon and a password in Base64, without control characters',
    )
  }
  return { email: text.slice(0, colon), password: text.slice(colon + 1) }
}
