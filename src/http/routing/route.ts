import { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Config } from '../../config/config.ts'
import type { PoolName, Pools } from '../../db/pools.ts'
import type { KeptLists } from '../../lists/cache.ts'
import { createCompression } from '../../lists/compression.ts'
import type { RouteDocs } from '../../openapi/route-docs.ts'
import type { Actor, ActorDatabase } from './actor.ts'
import { AppError, type ErrorKind } from './errors.ts'
import { type Repeatable, readRepeatable } from './idempotency.ts'
import { answerInTime, poolOf } from './overload.ts'
import {
  type Anonymous,
  type Caller,
  enforceRole,
  identifyCaller,
  type Policy,
  type PolicyDependencies,
} from './policy.ts'
import type { RateLimiter } from './rate-limit.ts'
import { createValidatorCompiler } from './validation.ts'

/** What a handler answers; `body` is sent as it is. */
export interface RouteResponse {
  readonly status: number
  readonly body?: string | Buffer
  readonly type?: 'application/json; charset=utf-8' | 'text/plain; charset=utf-8'
  readonly headers?: Record<string, string>
}

/** The request as a handler sees it: validated, its caller known. */
export interface RequestContext<P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly url: string
  readonly log: FastifyBaseLogger
  /** On routes that are repeatable: set where the client gave the request a key. */
  readonly repeatable: Repeatable | undefined
  /** On routes that are polled: the header of the request. */
  readonly ifNoneMatch: string | undefined
  /** What is kept of the lists that are polled. */
  readonly lists: KeptLists
}

/** Whoever calls, the handler reaches the database only through the caller's own view of it. */
type CallerOf<A extends Policy> = { readonly db: ActorDatabase } & (A extends Anonymous
  ? unknown
  : { readonly actor: Actor })

/** Which rate applies (specification, Limits): a group of the configuration, keyed by user or by address. */
export type Limit = 'none' | { readonly rate: keyof Config['rates']; readonly by: 'user' | 'address' }

/** Which of the configured body sizes holds (D8). */
export type BodyLimit = 'body' | 'problem body' | 'verdict body'

interface RouteDefinition<
  A extends Policy,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  /** What clients call it: a verb and a noun, the OpenAPI document's operationId. */
  readonly name: string
  readonly summary: string
  readonly docs: RouteDocs<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined>
  readonly policy: A
  readonly limit: Limit
  readonly bodyLimit: BodyLimit
  /** The way to the database of a route that may read or write more than a record; by default it follows from the request. */
  readonly pool?: PoolName
  /** Takes an `Idempotency-Key`; the handler answers through `createOnce`. */
  readonly isRepeatable?: true
  /**
   * The answer has an entity tag and is a 304 where the client knows it. A body in a buffer is
   * compressed where that pays.
   */
  readonly isPolled?: true
  readonly schema: {
    readonly params: P
    readonly query: Q
    /** Undefined where the route takes no body. */
    readonly body: B
    /** The answers of success; `undefined` where there is no body. */
    readonly answers: Readonly<Record<number, TSchema | undefined>>
    /** The refusals that the state of things may lead to, besides those that follow from policy, limit and schema. */
    readonly refusals: readonly ErrorKind[]
  }
  readonly handler: (
    ctx: RequestContext<Static<P>, Static<Q>, B extends TSchema ? Static<B> : undefined> & CallerOf<A>,
  ) => Promise<RouteResponse>
}

/** A route with its types erased, as the registry keeps it. */
export type Route = Omit<
  RouteDefinition<Policy, TSchema, TSchema, TSchema | undefined>,
  'handler' | 'docs'
> & {
  readonly docs: RouteDocs
  readonly run: (request: FastifyRequest, lists: KeptLists) => Promise<RouteResponse>
}

/** The routes of a part of the service. */
export interface RouteGroup {
  readonly name: string
  readonly description: string
  readonly routes: readonly Route[]
}

/** Declares a route: nothing defaults, so that nobody forgets who may call it and how often. */
export function defineRoute<
  A extends Policy,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema | undefined,
>(definition: RouteDefinition<A, P, Q, B>): Route {
  const { handler, ...route } = definition
  return {
    ...route,
    run: (request, lists) => {
      const { params, query, body, url, log, caller } = request
      const repeatable = route.isRepeatable && readRepeatable(request)
      const ifNoneMatch = route.isPolled && request.headers['if-none-match']
      const context: unknown = { params, query, body, url, log, repeatable, ifNoneMatch, lists, ...caller }
      // The validators of the route's own schemas and its policy have made the request what these types say.
      return handler(context as Parameters<typeof handler>[0])
    },
  }
}

export interface RouteDependencies extends PolicyDependencies {
  readonly lists: KeptLists
  readonly rateLimiter: RateLimiter
  readonly config: Pick<Config, 'rates' | 'sizes'>
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** How long it took to admit it. */
    admissionMs: number
  }
}

/** Registers routes with the one hook that enforces policy and rate, in the order of D2: 401, 403, 429, then 413 and 400. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  deps: RouteDependencies,
): void {
  const compile = createValidatorCompiler()
  const limits = bodyLimitsOf(deps.config.sizes)
  const compress = createCompression()
  app.decorateRequest('caller', undefined)
  app.decorateRequest('admissionMs', 0)
  for (const route of routes) {
    const { params, query, body } = route.schema
    app.route({
      method: route.method,
      url: route.url,
      bodyLimit: limits[route.bodyLimit],
      schema: { params, querystring: query, ...(body && { body }) },
      validatorCompiler: ({ schema, httpPart }) => compile(schema, httpPart === 'body' ? 'body' : 'text'),
      onRequest: (request) => admit(route, request, deps),
      handler: async (request, reply) => {
        const answer = await runInTime(route.run(request, deps.lists), route, request, deps.pools)
        return send(reply, answer, route.isPolled ? await compress(request, reply, answer.body) : answer.body)
      },
    })
  }
}

/** How many bytes the body of a route may have, by its `bodyLimit` (D8). */
export function bodyLimitsOf(sizes: Config['sizes']): Record<BodyLimit, number> {
  return {
    body: sizes.bodyBytes,
    'problem body': sizes.problemBodyBytes,
    'verdict body': sizes.verdictBodyBytes,
  }
}

/** The time is one for the request: what its admission took is gone. How slowly its body came does not count. */
function runInTime(
  answer: Promise<RouteResponse>,
  route: Route,
  request: FastifyRequest,
  { answerMs }: Pools,
): Promise<RouteResponse> {
  return answerInTime(answer, answerMs[poolOf(route, request)] - request.admissionMs)
}

async function admit(route: Route, request: FastifyRequest, deps: RouteDependencies): Promise<void> {
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

function send(reply: FastifyReply, answer: RouteResponse, body: string | Buffer | undefined): FastifyReply {
  reply.code(answer.status).headers(answer.headers ?? {})
  if (body === undefined) return isHeadOfUnchanged(reply) ? reply.send(Readable.from([])) : reply.send()
  return reply.type(answer.type ?? 'application/json; charset=utf-8').send(body)
}

/** Fastify would say that there are 0 bytes, where a GET would have as many as the client knows (RFC 9110, 8.6); of a stream it says nothing. */
function isHeadOfUnchanged({ statusCode, request }: FastifyReply): boolean {
  return statusCode === 304 && request.method === 'HEAD'
}
