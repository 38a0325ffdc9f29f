import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { refuseViolation } from './constraint-errors.ts'
import { AppError } from './errors.ts'
import { type Caller, enforceRole, identifyCaller, type PolicyDependencies } from './policy.ts'
import { poolOf } from './pool-of.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { RouteResponse } from './responses.ts'
import type { BodyLimit, Route } from './route.ts'
import { createValidatorCompiler } from './validation.ts'
import { withinTime } from './within-time.ts'

export interface RoutingDependencies extends PolicyDependencies {
  readonly rateLimiter: RateLimiter
  readonly config: Pick<Config, 'rates' | 'sizes'>
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** How long authentication and authorisation took. */
    admissionMs: number
  }
}

/** Registers routes; a hook enforces policy and rate in the order of D2: 401, 403, 429, 413, 400. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  deps: RoutingDependencies,
): void {
  const compile = createValidatorCompiler()
  const limits = bodyLimitsOf(deps.config.sizes)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('admissionMs', 0)
  for (const route of routes) {
    const { params, query, body } = route
    app.route({
      method: route.method,
      url: route.url,
      bodyLimit: limits[route.bodyLimit],
      schema: { params, querystring: query, ...(body && { body }) },
      validatorCompiler: ({ schema, httpPart }) => compile(schema, httpPart === 'body' ? 'body' : 'text'),
      onRequest: (request) => admit(route, request, deps),
      handler: async (request, reply) => send(route, reply, await run(route, request, deps)),
    })
  }
}

/** The body sizes of the configuration by a route's `bodyLimit`, in bytes (D8). */
export function bodyLimitsOf(sizes: Config['sizes']): Record<BodyLimit, number> {
  return {
    body: sizes.bodyBytes,
    'problem body': sizes.problemBodyBytes,
    'verdict body': sizes.verdictBodyBytes,
  }
}

/** The time limit includes authentication, but not the time in which the body arrives. */
async function run(
  route: Route,
  request: FastifyRequest,
  { pools }: RoutingDependencies,
): Promise<RouteResponse> {
  const { caller, admissionMs } = request
  if (caller === undefined) throw new Error('the request was not admitted')
  const response = route.run(request, caller).catch((err: unknown) => {
    throw refuseViolation(err, route.refusals)
  })
  return withinTime(response, pools.timeoutMs[poolOf(route, request)] - admissionMs)
}

async function admit(route: Route, request: FastifyRequest, deps: RoutingDependencies): Promise<void> {
  const startedMs = performance.now()
  request.caller = await identifyCaller(route.policy, request, poolOf(route, request), deps)
  request.admissionMs = performance.now() - startedMs
  const { actor } = request.caller
  if (actor) enforceRole(route.policy, actor, request.params)
  if (route.limit === 'none') return
  const key = route.limit.by === 'user' && actor ? actor.id : request.ip
  if (!deps.rateLimiter.take(`${route.method} ${route.url}`, key, deps.config.rates[route.limit.rate])) {
    throw new AppError('RATE_LIMIT_EXCEEDED', 'Too many requests; wait a minute and try again')
  }
}

function send(
  route: Route,
  reply: FastifyReply,
  { status, headers, type, body }: RouteResponse,
): FastifyReply {
  reply.code(status).headers(headers ?? {})
  if (route.hasEntityTag)
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '))
  if (body === undefined) return isHeadOfUnchanged(reply) ? reply.send(Readable.from([])) : reply.send()
  return reply.type(type ?? 'application/json; charset=utf-8').send(body)
}

/** A stream: Fastify adds no `Content-Length: 0`, which a GET would not have (RFC 9110, 8.6). */
function isHeadOfUnchanged({ statusCode, request }: FastifyReply): boolean {
  return statusCode === 304 && request.method === 'HEAD'
}
