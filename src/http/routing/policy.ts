import type { FastifyRequest } from 'fastify'
import type { PoolName, Pools } from '../../db/pools.ts'
import { type Actor, ActorDatabase } from './actor.ts'
import { type BasicAuth, isBasic, readBasic } from './basic-auth.ts'
import { AppError } from './errors.ts'
import type { Failures } from './failure-limits.ts'
import { withinTime } from './responses.ts'
import { isScoreboardToken, sameSecret, type Tokens } from './tokens.ts'

/** The policies whose handlers have no actor. */
export type Anonymous = 'none' | 'bridge secret' | 'judge password' | 'scoreboard token'

/** The policies whose handlers may have no actor. */
export type MaybeAnonymous = 'user, or none if public' | 'user or Basic, or none if public'

type Known = 'user' | 'self or admin' | 'owner, judge or admin' | 'judge or admin' | 'admin' | 'user or Basic'

/**
 * Who may call a route, in the specification's Auth words. `self` is the user in the path. `owner`
 * is checked by the route's statement; the hook requires only a valid token. `none if public`: the
 * statement finds public records only if there is no `:actor`, and then NOT_FOUND becomes
 * UNAUTHORIZED. `scoreboard token`: the statement compares its hash, and NOT_FOUND becomes
 * UNAUTHORIZED (P29). `Basic`: also HTTP Basic, for routes of the Contest API (P26).
 */
export type Policy = Anonymous | MaybeAnonymous | Known

export interface PolicyDependencies {
  readonly pools: Pools
  readonly tokens: Tokens
  readonly identifyBasic: BasicAuth
  readonly secrets: { readonly judgePassword: string; readonly webBridge: string }
}

/** The caller of a request, set by the hook. */
export interface Caller {
  /** Undefined for anonymous callers. */
  readonly actor: Actor | undefined
  readonly db: ActorDatabase
}

/** How the caller of a request is read. */
export interface Identification {
  readonly pool: PoolName
  readonly isWaiting: () => boolean
  /** An admin has the role of the token, until a statement checks it. */
  readonly trustsRole: boolean
}

/**
 * Reads the caller from the Authorization header; its queries use `pool`, and start only while the
 * client `isWaiting`. Throws a 401 error, RATE_LIMIT_EXCEEDED, or UNAVAILABLE if reading an account
 * or comparing a password takes too long.
 */
export async function identifyCaller(
  policy: Policy,
  request: FastifyRequest,
  { pool, isWaiting, trustsRole }: Identification,
  { pools, tokens, identifyBasic, secrets }: PolicyDependencies,
): Promise<Caller> {
  const open = (isUrgent: boolean) => {
    const requester = { isWaiting, isUrgent }
    const quick = pools.quick.forRequest(requester)
    const database = pool === 'quick' ? quick : pools[pool].forRequest(requester)
    const callerOf = (actor?: Actor): Caller => ({ actor, db: new ActorDatabase(database, actor, quick) })
    return { quick, database, callerOf }
  }
  const forAnonymous = () => open(false).callerOf()
  if (policy === 'none') return forAnonymous()
  const { authorization } = request.headers
  if (allowsAnonymous(policy) && authorization === undefined) return forAnonymous()
  if (!authorization) throw withoutCredential()
  if (policy === 'scoreboard token') {
    if (!isScoreboardToken(authorization)) throw withoutScoreboardToken()
    return forAnonymous()
  }
  if (policy === 'bridge secret' || policy === 'judge password') {
    const secret = policy === 'bridge secret' ? secrets.webBridge : secrets.judgePassword
    requireSecret(authorization, secret, request.server.failureLimits.ofSecret(request))
    return forAnonymous()
  }
  if (takesBasic(policy) && isBasic(authorization)) {
    const { quick, callerOf } = open(false)
    const sender = { request, database: quick, isWaiting }
    const identified = identifyBasic(readBasic(authorization), sender)
    return callerOf(await withinTime(identified, pools.timeoutMs.quick))
  }
  const claims = await tokens.verifyToken(authorization)
  // A judge's verdict ends work, and frees a worker for the next.
  const { database, quick, callerOf } = open(claims.role === 1)
  if (claims.role === 2 && !trustsRole) {
    return withinTime(ActorDatabase.ofAdmin(database, claims, quick), pools.timeoutMs.quick)
  }
  return callerOf(claims)
}

/** Whether a route accepts HTTP Basic. */
export const takesBasic = (policy: Policy) =>
  policy === 'user or Basic' || policy === 'user or Basic, or none if public'

/** Whether a route accepts callers without a credential, as long as they read public records. */
export const allowsAnonymous = (policy: Policy): policy is MaybeAnonymous =>
  policy === 'user, or none if public' || policy === 'user or Basic, or none if public'

/** Throws FORBIDDEN if the policy requires another role. */
export function enforceRole(policy: Policy, { role, id }: Actor, params: unknown): void {
  if (policy === 'admin' && role !== 2) throw new AppError('FORBIDDEN', 'This route is for admins')
  if (policy === 'judge or admin' && role === 0)
    throw new AppError('FORBIDDEN', 'This route is for judges and admins')
  if (policy === 'self or admin' && role !== 2 && !namesUser(params, id)) {
    throw new AppError('FORBIDDEN', 'This route is for the user in its path and for admins')
  }
}

/** Anonymous callers do not learn which records exist that are not public. */
export function refuseAnonymous(policy: Policy, { actor }: Caller, err: unknown): unknown {
  if (!(err instanceof AppError && err.kind === 'NOT_FOUND')) return err
  if (policy === 'scoreboard token') return withoutScoreboardToken()
  return allowsAnonymous(policy) && actor === undefined ? withoutCredential() : err
}

const withoutScoreboardToken = () =>
  new AppError('UNAUTHORIZED', 'The Authorization header must carry a valid scoreboard token of this event')

const withoutCredential = () =>
  new AppError('UNAUTHORIZED', 'The Authorization header must carry a credential')

/** Compares no secret while the bucket of wrong ones is empty (D15.4). */
function requireSecret(sent: string, secret: string, failures: Failures): void {
  failures.check()
  // Node decodes headers as Latin-1, but most clients send UTF-8. HTTP trims white space.
  const readings = [sent, Buffer.from(sent, 'latin1').toString('utf8')]
  if (!readings.some((reading) => sameSecret(reading, secret.trim()))) {
    failures.count()
    throw new AppError('UNAUTHORIZED', 'The Authorization header must carry the secret of this route')
  }
}

/** Whether `user_id` in the path is this id. */
export function namesUser(params: unknown, id: string | undefined): boolean {
  const { user_id }: { readonly user_id?: unknown } = Object(params)
  return typeof user_id === 'string' && user_id.toLowerCase() === id
}
