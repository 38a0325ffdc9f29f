import type { FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Config } from '../../config/config.ts'
import type { PoolName } from '../../db/pools.ts'
import type { Actor, ActorDatabase } from './actor.ts'
import type { ErrorKind } from './errors.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { type PathOf, pathOf } from './path.ts'
import type { Anonymous, Caller, MaybeAnonymous, Policy } from './policy.ts'
import type { RouteResponse } from './responses.ts'
import { NoFields } from './schema.ts'

/** A validated request with its caller, as a handler sees it. */
export type RequestContext<A extends Policy, P, Q, B> = {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly request: FastifyRequest
  readonly db: ActorDatabase
} & (A extends Anonymous ? unknown : { readonly actor: A extends MaybeAnonymous ? Actor | undefined : Actor })

/** A rate of the configuration, counted by user or by address (specification, Limits). */
export type Limit =
  | 'none'
  | {
      readonly rate: keyof Config['rates']
      readonly by: 'user' | 'address'
      /** Default: every request. `requests for oneself` name the caller in the path. */
      readonly counts?: 'wrong secrets' | 'requests for oneself'
    }

/** A body size of the configuration (D8). */
export type BodyLimit = 'body' | 'problem body' | 'verdict body' | 'package'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

type Method = (typeof METHODS)[number]

type StaticBody<B> = B extends TSchema ? Static<B> : undefined

/** The method and the URL of a route, such as `GET /v1/users/:user_id`. */
type Address = `${Method} ${string}`

/** A body in CSV as JSON, and what its sender should know. */
export interface CsvBody {
  readonly body: unknown
  readonly warnings: readonly string[]
}

/** What a route may say of itself; the defaults hold without it. */
interface RouteOptions {
  /** Default: `DEFAULT_WRITE_LIMIT` for writes of users, else none. */
  readonly limit?: Limit
  /** Default: `body`. */
  readonly bodyLimit?: BodyLimit
  /** How to send more than the body limit: the message of a 413 ends with it. */
  readonly largeBodyAdvice?: string
  /** The type of a file that is the body: `uploadOf` of the request. `body` must be absent. */
  readonly upload?: 'application/zip'
  /** Also accepts a body in CSV, which this turns into a JSON body. Throws VALIDATION. */
  readonly readCsv?: (text: string) => CsvBody
  /** Default: inferred from the request. */
  readonly pool?: PoolName
  /** How long the handler may take, in milliseconds. Default: as the pool says. */
  readonly timeoutMs?: number
  /** Accepts an `Idempotency-Key`; the handler uses `createOnce`. */
  readonly takesIdempotencyKey?: true
  /** Refuses judge workers that lack capabilities of the problem; the handler checks them (D41). */
  readonly needsCapabilities?: true
  /** The response has an entity tag, and the status is 304 for a client that has this version. */
  readonly hasEntityTag?: boolean
  /** The response is a stream of server-sent events, which `reply.sse` writes (P25). */
  readonly isEventStream?: boolean
  /** A list with long texts: also its pages use the pool `lists`. */
  readonly isHeavy?: boolean
  /** The schemas of successful responses by status; `undefined` for no body. */
  readonly responses: Readonly<Record<number, TSchema | undefined>>
  /** Errors that depend on stored data, besides NOT_FOUND, which every path with an id has. */
  readonly refusals?: readonly ErrorKind[]
}

interface RouteDefinition<
  A extends Policy,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema | undefined,
> extends RouteOptions {
  readonly policy: A
  /** Default: the parameters of the URL, as `pathOf` knows them. */
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly handler: (ctx: RequestContext<A, Static<P>, Static<Q>, StaticBody<B>>) => Promise<RouteResponse>
}

/** The types of a request, for the examples of the OpenAPI document. */
export interface RouteInput<P = unknown, Q = unknown, B = unknown> {
  readonly params: P
  readonly query: Q
  readonly body: B
}

/** A route of any types, as it is registered and documented. */
export interface Route<N extends string = string, I = unknown> extends RouteOptions {
  readonly method: Method
  readonly url: string
  readonly name: N
  readonly policy: Policy
  readonly limit: Limit
  readonly bodyLimit: BodyLimit
  readonly params: TSchema
  readonly query: TSchema
  readonly body?: TSchema | undefined
  readonly refusals: readonly ErrorKind[]
  readonly run: (request: FastifyRequest, caller: Caller) => Promise<RouteResponse>
  /** Carries the types of the request; never set. */
  readonly input?: I
}

/** All writes of a user that have no limit of their own share one. Admins and judges have none. */
const DEFAULT_WRITE_LIMIT: Limit = { rate: 'writes', by: 'user' }

const hasWriteLimit = (method: Method, policy: Policy) =>
  method !== 'GET' && (policy === 'user' || policy === 'self or admin' || policy === 'user or Basic')

/** Whether a request can get NOT_FOUND: a wrong scoreboard token is no record, but a credential. */
const namesRecord = (url: string, policy: Policy) => url.includes(':') && policy !== 'scoreboard token'

/**
 * Defines a route. Its name, a verb and a noun, is the operationId of the OpenAPI document. The
 * policy must be named; everything else has a default.
 */
export function defineRoute<
  const N extends string,
  const U extends Address,
  A extends Policy,
  P extends TSchema = PathOf<U>,
  Q extends TSchema = typeof NoFields,
  B extends TSchema | undefined = undefined,
>(
  name: N,
  address: U,
  definition: RouteDefinition<A, P, Q, B>,
): Route<N, RouteInput<Static<P>, Static<Q>, StaticBody<B>>> {
  const { handler, params = pathOf(address), ...route } = definition
  const method = METHODS.find((one) => address.startsWith(`${one} `))
  if (method === undefined) throw new Error(`the route ${name} has no method`)
  const url = address.slice(method.length + 1)
  const missing: readonly ErrorKind[] = namesRecord(url, route.policy) ? ['NOT_FOUND'] : []
  return {
    limit: hasWriteLimit(method, route.policy) ? DEFAULT_WRITE_LIMIT : 'none',
    bodyLimit: 'body',
    query: NoFields,
    ...route,
    name,
    method,
    url,
    params,
    refusals: [...missing, ...(route.refusals ?? [])],
    run: async (request, caller) => {
      if (route.takesIdempotencyKey) readIdempotencyKey(request)
      const { params, query, body } = request
      const context: unknown = { params, query, body, request, ...caller }
      // The route's validators and its policy guarantee these types.
      return handler(context as Parameters<typeof handler>[0])
    },
  }
}

/** Whether a route's response is a list: its query has a cursor. */
export function isList({ query }: Pick<Route, 'query'>): boolean {
  return 'after' in Object((query as Partial<TObject>).properties)
}

/** The longest body for the quick pool; problems, their tests and verdicts may be much longer. */
export const QUICK_BODY_BYTES = 1024 * 1024

/** The connection pool for a request, by its headers and query alone. */
export function poolOf(route: Route, { headers, query }: FastifyRequest): PoolName {
  if (route.pool !== undefined) return route.pool
  if (route.bodyLimit !== 'body' && !(Number(headers['content-length']) <= QUICK_BODY_BYTES)) return 'bulk'
  const isLong = route.isHeavy || (isList(route) && !('limit' in Object(query)))
  return isLong ? 'lists' : 'quick'
}
