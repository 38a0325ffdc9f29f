import type { FastifyRequest } from 'fastify'
import type { PoolName, Pools } from '../../db/pools.ts'
import { type Actor, ActorDatabase } from './actor.ts'
import { AppError } from './errors.ts'
import { withinTime } from './overload.ts'
import { sameSecret, type Tokens } from './tokens.ts'

/**
 * Who may call a route, in the specification's Auth words. `self` is the path's `user_id`; `owner` is a row rule that the
 * route's statement enforces, so the hook asks for a valid token only.
 */
export const policies = [
  'none',
  'bridge secret',
  'judge password',
  'user',
  'self or admin',
  'owner, judge or admin',
  'judge or admin',
  'admin',
] as const

export type Policy = (typeof policies)[number]

/** The policies whose handlers have no actor. */
export type Anonymous = 'none' | 'bridge secret' | 'judge password'

export interface PolicyDependencies {
  readonly pools: Pools
  readonly tokens: Tokens
  readonly secrets: { readonly judgePassword: string; readonly webBridge: string }
}

/** The caller as the hook leaves it on the request. */
export interface Caller {
  /** Undefined where the policy knows none. */
  readonly actor: Actor | undefined
  readonly db: ActorDatabase
}

/**
 * Reads the caller out of the Authorization header, to ask the database on its behalf by `pool`. Throws a 401, or UNAVAILABLE where an admin's
 * account is not looked up in time.
 */
export async function identifyCaller(
  policy: Policy,
  request: FastifyRequest,
  pool: PoolName,
  { pools, tokens, secrets }: PolicyDependencies,
): Promise<Caller> {
  const database = pools[pool]
  const nobody = { actor: undefined, db: new ActorDatabase(database, undefined, pools.quick) }
  if (policy === 'none') return nobody
  const { authorization } = request.headers
  if (!authorization) throw new AppError('UNAUTHORIZED', 'The Authorization header must carry a credential')
  if (policy === 'bridge secret' || policy === 'judge password') {
    requireSecret(authorization, policy === 'bridge secret' ? secrets.webBridge : secrets.judgePassword)
    return nobody
  }
  const claims = await tokens.verifyToken(authorization)
  if (claims.role === 2) {
    return withinTime(ActorDatabase.ofAdmin(database, claims, pools.quick), pools.timeoutMs.quick)
  }
  return { actor: claims, db: new ActorDatabase(database, claims, pools.quick) }
}

/** Refuses an actor whose role is not enough for the policy (403). */
export function enforceRole(policy: Policy, { role, id }: Actor, params: unknown): void {
  if (policy === 'admin' && role !== 2) throw new AppError('FORBIDDEN', 'This route is for admins')
  if (policy === 'judge or admin' && role === 0)
    throw new AppError('FORBIDDEN', 'This route is for judges and admins')
  if (policy === 'self or admin' && role !== 2 && !namesUser(params, id)) {
    throw new AppError('FORBIDDEN', 'This route is for the user whom it names, and for admins')
  }
}

function requireSecret(presented: string, secret: string): void {
  // Node reads a header as Latin-1 and most clients write UTF-8; no header carries white space around its value.
  const readings = [presented, Buffer.from(presented, 'latin1').toString('utf8')]
  if (!readings.some((reading) => sameSecret(reading, secret.trim()))) {
    throw new AppError('UNAUTHORIZED', 'The Authorization header must carry the secret of this route')
  }
}

function namesUser(params: unknown, id: string): boolean {
  const named =
    typeof params === 'object' && params !== null && 'user_id' in params ? params.user_id : undefined
  return typeof named === 'string' && named.toLowerCase() === id
}
