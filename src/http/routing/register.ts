import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { NoLongerAdmin } from './actor.ts'
import { networkOf } from './address.ts'
import { refuseViolation } from './constraint-errors.ts'
import { AppError } from './errors.ts'
import { createFailureLimits } from './failure-limits.ts'
import {
  type Caller,
  enforceRole,
  type Identification,
  identifyCaller,
  namesUser,
  type Policy,
  type PolicyDependencies,
  refuseAnonymous,
} from './policy.ts'
import type { RateLimiter } from './rate-limit.ts'
import { isAwaited, type RouteResponse, withinTime } from './responses.ts'
import { type BodyLimit, poolOf, type Route } from './route.ts'
import { createValidatorCompiler } from './validation.ts'

export interface RoutingDependencies extends PolicyDependencies {
  readonly rateLimiter: RateLimiter
  readonly config: Pick<Config, 'rates' | 'exemptNetworks' | 'sizes'>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Takes from the bucket of an account, or without one of the address (D15). */
    takeRate: (request: FastifyRequest, rate: keyof Config['rates'], bucket: string, userId?: string) => void
  }
  interface FastifyRequest {
    caller: Caller | undefined
    /** How long authentication and authorisation took. */
    admissionMs: number
    /** The response goes on until the client leaves. */
    isLive: boolean
  }
  interface FastifyContextConfig {
    policy?: Policy
    largeBodyAdvice?: string | undefined
  }
}

/** Registers routes; a hook enforces policy and rate as D2 orders: 401, 403, 429, 413, 400. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  deps: RoutingDependencies,
): void {
  const compile = createValidatorCompiler()
  const limits = bodyLimitsOf(deps.config.sizes)
  app.decorate('failureLimits', createFailureLimits(deps.rateLimiter, deps.config))
  app.decorate('takeRate', createTakeRate(deps))
  app.decorateRequest('caller', undefined)
  app.decorateRequest('admissionMs', 0)
  app.decorateRequest('isLive', false)
  for (const route of routes) {
    const { params, query, body } = route
    app.route({
      method: route.method,
      url: route.url,
      bodyLimit: limits[route.bodyLimit],
      config: {
        policy: route.policy,
        largeBodyAdvice: route.largeBodyAdvice,
        readCsv: route.readCsv,
        upload: route.upload && { type: route.upload, mostBytes: limits[route.bodyLimit] },
      },
      schema: { params, querystring: query, ...(body && { body }) },
      validatorCompiler: ({ schema, httpPart }) => compile(schema, httpPart === 'body' ? 'body' : 'text'),
      ...(route.isEventStream && { sse: 'manual' as const }),
      onRequest: (request, reply) => admit(route, request, reply, deps),
      handler: async (request, reply) => send(route, reply, await run(route, request, reply, deps)),
    })
  }
}

/** The body sizes of the configuration by a route's `bodyLimit`, in bytes (D8). */
export function bodyLimitsOf(sizes: Config['sizes']): Record<BodyLimit, number> {
  return {
    body: sizes.bodyBytes,
    'problem body': sizes.problemBodyBytes,
    package: sizes.packageBytes,
    'verdict body': sizes.verdictBodyBytes,
  }
}

/** The time limit includes authentication, but not the time in which the body arrives. */
async function run(...exchange: Exchange): Promise<RouteResponse> {
  const [route, request, , { pools }] = exchange
  const response = runAsCaller(...exchange).catch((err: unknown) => {
    throw refuseViolation(err, route.refusals)
  })
  const timeoutMs = route.timeoutMs ?? pools.timeoutMs[poolOf(route, request)]
  return withinTime(response, timeoutMs - request.admissionMs)
}

/**
 * Handles the request again, with role 0, if the admin was demoted since the token was issued or
 * since the head of the request (D10).
 */
async function runAsCaller(...exchange: Exchange): Promise<RouteResponse> {
  const [route, request] = exchange
  if (request.caller === undefined) throw new Error('the request was not admitted')
  try {
    return await runChecked(route, request, request.caller)
  } catch (err) {
    if (!(err instanceof NoLongerAdmin)) throw refuseAnonymous(route.policy, request.caller, err)
    return route.run(request, await identify(...exchange, { trustsRole: false }))
  }
}

/** Neither a response nor a refusal leaves before a statement has checked the account. */
async function runChecked(route: Route, request: FastifyRequest, caller: Caller): Promise<RouteResponse> {
  try {
    const response = await route.run(request, caller)
    await caller.db.confirm()
    return response
  } catch (err) {
    if (err instanceof AppError && err.status < 500) await caller.db.confirm()
    throw err
  }
}

type Exchange = [route: Route, request: FastifyRequest, reply: FastifyReply, deps: RoutingDependencies]

/** Sets the caller of the request. Throws a 401 error or FORBIDDEN. */
async function identify(
  ...[route, request, reply, deps, { trustsRole }]: [...Exchange, Pick<Identification, 'trustsRole'>]
): Promise<Caller> {
  const isWaiting = () => isAwaited(reply.raw)
  const pool = poolOf(route, request)
  const caller = await identifyCaller(route.policy, request, { pool, isWaiting, trustsRole }, deps)
  request.caller = caller
  if (caller.actor) enforceRole(route.policy, caller.actor, request.params)
  return caller
}

/** All routes with one of these rates take from one bucket. */
const isShared = (rate: keyof Config['rates']) => rate === 'writes' || rate === 'submissions'

async function admit(...exchange: Exchange): Promise<void> {
  const [route, request] = exchange
  const startedMs = performance.now()
  // Limits of writes depend on the role. The statement of a read checks it in the same round trip.
  const { actor } = await identify(...exchange, { trustsRole: route.method === 'GET' })
  request.admissionMs = performance.now() - startedMs
  // The policy counts wrong secrets.
  if (route.limit === 'none' || route.limit.counts === 'wrong secrets') return
  const isOfWrites = route.limit.rate === 'writes'
  if (isOfWrites && actor?.role !== 0) return
  if (route.limit.counts === 'requests for oneself' && !namesUser(request.params, actor?.id)) return
  const userId = route.limit.by === 'user' ? actor?.id : undefined
  const bucket = isShared(route.limit.rate) ? route.limit.rate : `${route.method} ${route.url}`
  request.server.takeRate(request, route.limit.rate, bucket, userId)
}

/** Its function throws RATE_LIMIT_EXCEEDED if the bucket is empty. */
function createTakeRate({
  rateLimiter,
  config: { rates },
}: RoutingDependencies): FastifyInstance['takeRate'] {
  return (request, rate, bucket, userId) => {
    if (userId === undefined && request.server.failureLimits.isExempt(request)) return
    if (rateLimiter.take(bucket, userId ?? networkOf(request), rates[rate])) return
    throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many requests; wait a minute and try again')
  }
}

function send(
  route: Route,
  reply: FastifyReply,
  { status, headers, type, body, live }: RouteResponse,
): FastifyReply | undefined {
  reply.code(status).headers(headers ?? {})
  if (live !== undefined) {
    reply.request.isLive = true
    live(reply)
    return undefined
  }
  if (route.hasEntityTag)
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '))
  if (body !== undefined) return reply.type(type ?? 'application/json; charset=utf-8').send(body)
  // A stream: Fastify adds no `Content-Length: 0`, which a GET would not have (RFC 9110, 8.6).
  const isHeadOfUnchanged = status === 304 && reply.request.method === 'HEAD'
  return isHeadOfUnchanged ? reply.send(Readable.from([])) : reply.send()
}
