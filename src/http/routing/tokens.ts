import { createHash, createHmac, randomBytes, timingSafeEqual, type webcrypto } from 'node:crypto'
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { AppError } from './errors.ts'

/** 0 user, 1 judge, 2 admin (specification, Authentication 2). */
export type Role = 0 | 1 | 2

export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** The content of a token. The account may have been deleted since. */
export interface Claims {
  readonly id: string
  readonly role: Role
  /** The account's session version at the issue; null in older tokens and for judges (D9). */
  readonly sessionVersion: number | null
  /** When the token expires; infinite if it does not, absent without a token. */
  readonly expiresAtMs?: number
}

export type Tokens = Awaited<ReturnType<typeof createTokens>>

interface TokenOptions {
  readonly secret: string
  readonly judgePassword: string
  readonly userTtlSeconds: number
  /** Undefined: the tokens of judges do not expire. */
  readonly judgeTtlSeconds: number | undefined
}

/**
 * Signs and verifies tokens (HS256 only, D9). Verified tokens are cached: a signature check takes
 * 50 µs, and clients poll with the same token. The expiry is checked on every use.
 */
export async function createTokens(options: TokenOptions) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = new TextEncoder().encode(options.secret)
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign', 'verify'])
  const judgeVersion = versionOfPassword(options)
  const verified = new LRUCache<string, Required<Claims>>({ max: 10_000 })
  const issue = (claims: Record<string, unknown>, ttlSeconds: number | undefined) => {
    const now = Math.floor(Date.now() / 1000)
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setIssuedAt(now)
    return (ttlSeconds === undefined ? token : token.setExpirationTime(now + ttlSeconds)).sign(key)
  }
  return {
    issueUserToken: (user: { id: string; isAdmin: boolean; sessionVersion: number }) =>
      issue({ id: user.id, role: user.isAdmin ? 2 : 0, ver: user.sessionVersion }, options.userTtlSeconds),
    issueJudgeToken: () => issue({ id: NIL_UUID, role: 1, ver: judgeVersion }, options.judgeTtlSeconds),
    /** Verifies a raw token. Throws MALFORMED_TOKEN, TOKEN_EXPIRED or UNAUTHORIZED. */
    async verifyToken(token: string): Promise<Claims> {
      if (!COMPACT.test(token)) throw new AppError('MALFORMED_TOKEN', MALFORMED, hintFor(token))
      const known = verified.get(token)
      const claims = known ?? (await verifySignature(token, key, judgeVersion))
      if (claims.expiresAtMs <= Date.now()) throw new AppError('TOKEN_EXPIRED', EXPIRED)
      if (known === undefined) verified.set(token, claims)
      return claims
    },
  }
}

/** Compares secrets of any lengths in constant time (D12). */
export function sameSecret(sent: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(sent), digest(secret))
}

/** Only one form of each token is valid: variants would fill the cache. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/
const MALFORMED = 'Malformed JWT token'
const EXPIRED = 'The token has expired; log in again'
const OTHER_PASSWORD = 'The judge’s token is not of the present JUDGE_PASSWORD; log in again'
const HINT = 'Send the token raw in the Authorization header, without "Bearer" or another prefix'

const hintFor = (sent: string) => (/^bearer\s/i.test(sent) ? { hint: HINT } : {})

/** The `ver` of judge tokens: it changes with the password, and does not reveal it (D9). */
function versionOfPassword({ secret, judgePassword }: TokenOptions): string {
  // With the prefix, the HMAC of a password is never the signature of a token.
  return createHmac('sha256', secret).update(`judge password: ${judgePassword.trim()}`).digest('base64url')
}

async function verifySignature(
  token: string,
  key: webcrypto.CryptoKey,
  judgeVersion: string,
): Promise<Required<Claims>> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] })
    const expiresAtMs = payload.exp === undefined ? Number.POSITIVE_INFINITY : payload.exp * 1000
    return { ...readClaims(payload, judgeVersion), expiresAtMs }
  } catch (err) {
    if (err instanceof AppError) throw err
    if (err instanceof joseErrors.JWTExpired) throw new AppError('TOKEN_EXPIRED', EXPIRED)
    if (err instanceof joseErrors.JWSSignatureVerificationFailed) {
      throw new AppError('UNAUTHORIZED', 'The token was not signed by this service')
    }
    throw new AppError('MALFORMED_TOKEN', MALFORMED)
  }
}

function readClaims(payload: Record<string, unknown>, judgeVersion: string): Claims {
  const { id, role, ver = null } = payload
  const isUuid = typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
  if (!isUuid || (role !== 0 && role !== 1 && role !== 2)) throw new AppError('MALFORMED_TOKEN', MALFORMED)
  // D10
  if ((role === 1) !== (id === NIL_UUID)) {
    throw new AppError('UNAUTHORIZED', 'The nil UUID belongs to judge tokens, and to them only')
  }
  if (role === 1) {
    if (ver !== judgeVersion) throw new AppError('TOKEN_EXPIRED', OTHER_PASSWORD)
    return { id, role, sessionVersion: null }
  }
  if (!isSessionVersion(ver)) throw new AppError('MALFORMED_TOKEN', MALFORMED)
  return { id: id.toLowerCase(), role, sessionVersion: ver }
}

function isSessionVersion(ver: unknown): ver is number | null {
  return ver === null || (typeof ver === 'number' && Number.isInteger(ver) && Math.abs(ver) < 2 ** 31)
}

/** An opaque token with 256 random bits (P29). */
export const generateScoreboardToken = () => randomBytes(32).toString('base64url')

/** Whether a text has the shape of a scoreboard token. */
export const isScoreboardToken = (text: string) => /^[\w-]{43}$/.test(text)

/** The hash that the database has of a token, in hexadecimal. */
export const hashScoreboardToken = (token: string) => createHash('sha256').update(token).digest('hex')
