import Type, { type Static, type TSchema } from 'typebox'
import type { NamedValues } from '../db/statement.ts'
import type { ErrorKind } from '../http/routing/errors.ts'
import type { PathOf } from '../http/routing/path.ts'
import type { Policy } from '../http/routing/policy.ts'
import { defineRoute, type RequestContext, type Route, type RouteInput } from '../http/routing/route.ts'
import type { NoFields } from '../http/routing/schema.ts'
import type { List } from './definition.ts'
import { hasCursorOf, type Page, PageQuery } from './page.ts'
import { invalidCursor, respondWithList, respondWithWrittenList } from './response.ts'
import type { WrittenList } from './written-list.ts'

/** A list that PostgreSQL or the service builds. */
type AnyList<V = never> = List<V> | WrittenList<V>

/** A list with its values. */
export interface ChosenList {
  readonly list: AnyList
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
    readonly list: AnyList<V>
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
    readonly lists: readonly AnyList[]
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
    isHeavy: lists.some((list) => ('isHeavy' in list ? list.isHeavy : list.version !== undefined)),
    hasEntityTag: lists.some(({ version }) => version !== undefined),
    handler: async (ctx) => {
      const page: Page = Object(ctx.query)
      // An invalid cursor (400) precedes the refusals of `choose` (D2).
      if (!lists.some(({ key }) => hasCursorOf(key, page))) throw invalidCursor()
      const { list, values } = await choose(ctx)
      const listed = { ...ctx, query: page }
      return 'whole' in list
        ? respondWithList(listed, list, values)
        : respondWithWrittenList(listed, list, values)
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
    /** The media type, and the name under which browsers save it. Default: JSON without a name. */
    readonly file?: { readonly type: string; readonly name: string }
    readonly choose: (ctx: Context<A, P, Q>) => { readonly document: WrittenList; readonly values: object }
  },
): ListRoute<N, P, Q> {
  const { response, file, choose, ...rest } = route
  return defineRoute<N, `GET ${U}`, A, P, Q>(name, `GET ${url}`, {
    ...rest,
    responses: { 200: response },
    isHeavy: true,
    hasEntityTag: true,
    handler: async (ctx) => {
      const { document, values } = choose(ctx)
      const sent = await respondWithWrittenList({ ...ctx, query: {} }, document, Object(values))
      if (file === undefined) return sent
      const disposition = `attachment; filename="${file.name}"`
      return { ...sent, type: file.type, headers: { ...sent.headers, 'content-disposition': disposition } }
    },
  })
}
