import Type, { type Static, type TSchema } from 'typebox'
import type { NamedValues } from '../db/statement.ts'
import type { ErrorKind } from '../http/routing/errors.ts'
import type { PathOf } from '../http/routing/path.ts'
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

interface ListRouteDefinition<A extends Policy, P extends TSchema, Q extends TSchema> {
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
  const U extends string,
  A extends Policy,
  V,
  P extends TSchema = PathOf<U>,
  Q extends TSchema = typeof PageQuery,
>(
  name: N,
  url: U,
  route: ListRouteDefinition<A, P, Q> & {
    readonly list: List<V>
    readonly values?: (ctx: Context<A, P, Q>) => V
    /** Runs first; may throw one of the refusals. */
    readonly check?: Check<A, P, Q>
  } & (Static<P> extends V ? unknown : { readonly values: object }),
): ListRoute<N, P, Q> {
  const { list, values, check } = route
  const definition: ListRouteDefinition<A, P, Q> = route
  return defineChoiceRoute<N, U, A, P, Q>(name, url, {
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
  const U extends string,
  A extends Policy,
  P extends TSchema = PathOf<U>,
  Q extends TSchema = typeof PageQuery,
>(
  name: N,
  url: U,
  route: ListRouteDefinition<A, P, Q> & {
    readonly lists: readonly List[]
    readonly choose: (ctx: Context<A, P, Q>) => Promise<ChosenList>
  },
): ListRoute<N, P, Q> {
  const { lists, item, choose, ...rest } = route
  const query: TSchema = PageQuery
  return defineRoute<N, `GET ${U}`, A, P, Q>(name, `GET ${url}`, {
    ...rest,
    // Q is the type of `PageQuery` unless the route has a query of its own.
    query: route.query ?? (query as Q),
    responses: { 200: Type.Array(item) },
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

/** Defines the route of polled documents, with the 404 of the owner. `choose` may throw. */
export function defineDocumentRoute<
  const N extends string,
  const U extends string,
  A extends Policy,
  P extends TSchema = PathOf<U>,
  Q extends TSchema = typeof NoFields,
>(
  name: N,
  url: U,
  route: Omit<ListRouteDefinition<A, P, Q>, 'item'> & {
    readonly response: TSchema
    /** Default: JSON. */
    readonly type?: string
    readonly choose: (ctx: Context<A, P, Q>) => { readonly document: PolledDocument; readonly values: object }
  },
): ListRoute<N, P, Q> {
  const { response, type, choose, ...rest } = route
  return defineRoute<N, `GET ${U}`, A, P, Q>(name, `GET ${url}`, {
    ...rest,
    responses: { 200: response },
    isHeavy: true,
    hasEntityTag: true,
    handler: async (ctx) => {
      const { document, values } = choose(ctx)
      const sent = await respondWithDocument(ctx, document, Object(values))
      return type === undefined ? sent : { ...sent, type }
    },
  })
}
