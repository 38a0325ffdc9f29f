import Type, { type Static, type TSchema } from 'typebox'
import type { NamedValues } from '../db/statement.ts'
import type { ErrorKind } from '../http/routing/errors.ts'
import type { Policy } from '../http/routing/policy.ts'
import { defineRoute, type RequestContext, type Route, type RouteInput } from '../http/routing/route.ts'
import type { NoFields } from '../http/routing/schema.ts'
import type { List } from './definition.ts'
import type { PolledDocument } from './document.ts'
import { type Page, PageQuery, pageOf } from './page.ts'
import { invalidCursor, respondWithDocument, respondWithList } from './response.ts'

/** A list with its values. */
export interface ChosenList {
  readonly list: List
  readonly values: NamedValues
}

/** Chooses a list of a route with several lists. */
export function choose<V>(list: List<V>, values: V): ChosenList {
  return { list, values: Object(values) }
}

interface ListRouteDefinition<N extends string, A extends Policy, P extends TSchema, Q extends TSchema> {
  readonly url: string
  readonly name: N
  readonly policy: A
  /** The schema of one item. */
  readonly item: TSchema
  readonly params?: P
  /** Default: `PageQuery`. */
  readonly query?: Q
  /** Errors that depend on stored data, besides NOT_FOUND, which every path with an id has. */
  readonly refusals?: readonly ErrorKind[]
}

type Check<A extends Policy, P extends TSchema, Q extends TSchema> = (ctx: Context<A, P, Q>) => Promise<void>

type Context<A extends Policy, P extends TSchema, Q extends TSchema> = RequestContext<
  A,
  Static<P>,
  Static<Q>,
  undefined
>

type ListRoute<N extends string, P extends TSchema, Q extends TSchema> = Route<
  N,
  RouteInput<Static<P>, Static<Q>, undefined>
>

/**
 * Defines the route of a list, which determines paging, polling (entity tag, 304) and the 404 of
 * the owner. The default of `values` is the parameters of the path.
 */
export function defineListRoute<
  const N extends string,
  A extends Policy,
  V,
  P extends TSchema = typeof NoFields,
  Q extends TSchema = typeof PageQuery,
>(
  route: ListRouteDefinition<N, A, P, Q> & {
    readonly list: List<V>
    readonly values?: (ctx: Context<A, P, Q>) => V
    /** Runs first; may throw one of the refusals. */
    readonly check?: Check<A, P, Q>
  } & (Static<P> extends V ? unknown : { readonly values: object }),
): ListRoute<N, P, Q> {
  const { list, values, check } = route
  const definition: ListRouteDefinition<N, A, P, Q> = route
  return defineChoiceRoute<N, A, P, Q>({
    ...definition,
    lists: [list],
    choose: async (ctx) => {
      await check?.(ctx)
      return { list, values: Object(values ? values(ctx) : ctx.params) }
    },
  })
}

/** Defines a route that chooses one of several lists, all polled or none. `choose` may throw. */
export function defineChoiceRoute<
  const N extends string,
  A extends Policy,
  P extends TSchema = typeof NoFields,
  Q extends TSchema = typeof PageQuery,
>(
  route: ListRouteDefinition<N, A, P, Q> & {
    readonly lists: readonly List[]
    readonly choose: (ctx: Context<A, P, Q>) => Promise<ChosenList>
  },
): ListRoute<N, P, Q> {
  const { url, name, policy, params, lists, item, refusals = [], choose } = route
  const query: TSchema = PageQuery
  return defineRoute<N, A, P, Q>({
    method: 'GET',
    url,
    name,
    policy,
    ...(params && { params }),
    // Q is the type of `PageQuery` unless the route has a query of its own.
    query: route.query ?? (query as Q),
    responses: { 200: Type.Array(item) },
    refusals,
    isHeavy: lists.some(({ isHeavy }) => isHeavy),
    hasEntityTag: lists.some(({ version }) => version !== undefined),
    handler: async (ctx) => {
      const page: Page = Object(ctx.query)
      // An invalid cursor (400) precedes the refusals of `choose` (D2).
      if (!lists.some((list) => pageOf(list, page))) throw invalidCursor()
      const { list, values } = await choose(ctx)
      return respondWithList({ ...ctx, query: page }, list, values)
    },
  })
}

/**
 * Defines the route of polled documents: entity tag, 304 and the 404 of the owner. `choose` may
 * throw.
 */
export function defineDocumentRoute<
  const N extends string,
  A extends Policy,
  P extends TSchema = typeof NoFields,
  Q extends TSchema = typeof NoFields,
>(
  route: Omit<ListRouteDefinition<N, A, P, Q>, 'item'> & {
    readonly response: TSchema
    /** Default: JSON. */
    readonly type?: string
    readonly choose: (ctx: Context<A, P, Q>) => { readonly document: PolledDocument; readonly values: object }
  },
): Route<N, RouteInput<Static<P>, Static<Q>, undefined>> {
  const { url, name, policy, params, query, response, type, refusals = [], choose } = route
  return defineRoute<N, A, P, Q>({
    method: 'GET',
    url,
    name,
    policy,
    ...(params && { params }),
    ...(query && { query }),
    responses: { 200: response },
    refusals,
    isHeavy: true,
    hasEntityTag: true,
    handler: async (ctx) => {
      const { document, values } = choose(ctx)
      const sent = await respondWithDocument(ctx, document, Object(values))
      return type === undefined ? sent : { ...sent, type }
    },
  })
}
