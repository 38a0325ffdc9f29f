import type { ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { DatabaseError } from '../db/database.ts'
import { bind, type NamedValues } from '../db/statement.ts'
import type { ActorDatabase } from '../http/routing/actor.ts'
import { AppError } from '../http/routing/errors.ts'
import { found, type RouteResponse } from '../http/routing/responses.ts'
import type { BuiltList, ListCache } from './cache.ts'
import type { Compress } from './compression.ts'
import type { List, ListOwner, ListRow, ListStatement, StateStatement, VersionRow } from './definition.ts'
import { LIST_LIMIT_BYTES } from './definition.ts'
import { hasEntityTag, hashQuery, writeEntityTag } from './entity-tag.ts'
import type { KeptTexts } from './kept-texts.ts'
import { type Page, pageOf, readCursor, writeCursor } from './page.ts'
import { type AccountTurns, type Turn, takeTurn } from './turns.ts'
import { type BuildContext, type ListPage, WHOLE_LIST, type WrittenList } from './written-list.ts'

/** Shared by all lists of an application. */
interface ListServices {
  readonly cache: ListCache
  readonly texts: KeptTexts
  readonly compress: Compress
  readonly turns: AccountTurns
}

declare module 'fastify' {
  interface FastifyInstance {
    lists: ListServices
  }
  interface FastifyRequest {
    response: ServerResponse
  }
}

interface ListContext {
  readonly db: ActorDatabase
  readonly request: FastifyRequest
  readonly query: Page
}

/**
 * Responds with a list or a page of it, and the link to the next page (D6). A polled list has an
 * entity tag, and gets 304 if the client has this version. Throws VALIDATION for an unknown cursor
 * or a list that is too long, NOT_FOUND if the list's owner does not exist, and its refusal.
 */
export async function respondWithList(
  ctx: ListContext,
  list: List,
  values: NamedValues,
): Promise<RouteResponse> {
  const page = pageOf(list, ctx.query)
  if (page === undefined) throw invalidCursor()
  const { version, owner, isHeavy } = list
  const reading: ListReading = { owner, statement: page.statement, values: { ...values, ...page.values } }
  const isLong = isHeavy || ctx.query.limit === undefined
  const { db, request } = ctx
  if (version !== undefined) {
    const hash = hashQuery(reading.statement.text, bind(reading.statement, reading.values))
    const build = async (state: State) => buildList(await readWhole(db, reading, state))
    return respond(ctx, { hash, version, owner, values: reading.values, isLong, build })
  }
  const read = () => readWhole(db, reading, NO_VERSION)
  return pageResponse(request, await (isLong ? (await takeTurn(request)).build(read) : read()))
}

/** Responds as `respondWithList` does. */
export async function respondWithWrittenList(
  { db, request, query }: ListContext,
  list: WrittenList,
  values: NamedValues,
): Promise<RouteResponse> {
  const after = query.after === undefined ? undefined : readCursor(query.after, list.key)
  if (query.after !== undefined && after === undefined) throw invalidCursor()
  const page = { after, limit: query.limit ?? WHOLE_LIST.limit }
  const { version, owner } = list
  const { cache } = request.server.lists
  if (version === undefined) {
    const { body, next } = await list.build({ db, cache, audience: '' }, values, page)
    return pageResponse(request, { body: String(body), next })
  }
  const build = (state: State) => buildWritten({ db, cache }, list, { values, page, state })
  const hash = list.hash(values, page)
  return respond({ db, request }, { hash, version, owner, values, isLong: true, build })
}

/** A list that PostgreSQL builds. */
interface ListReading {
  readonly statement: ListStatement
  readonly owner: ListOwner | undefined
  readonly values: NamedValues
}

/** The version and the audience that a request wants. */
interface State {
  readonly version: string
  readonly audience: string
}

interface Polled {
  /** Identifies the query. */
  readonly hash: string
  readonly version: StateStatement
  readonly owner: ListOwner | undefined
  readonly values: NamedValues
  /** One account builds few long responses at the same time; cached ones and 304 need no turn. */
  readonly isLong: boolean
  readonly build: (state: State) => Promise<BuiltList>
}

async function respond(
  { db, request }: Omit<ListContext, 'query'>,
  { hash, version, owner, values, isLong, build }: Polled,
): Promise<RouteResponse> {
  let turn: Turn | undefined
  const enter = async () => {
    if (isLong) turn = await takeTurn(request)
  }
  const inTurn = <T>(work: () => Promise<T>) => (turn === undefined ? work() : turn.build(work))
  const state = await readState(db, { version, owner }, values)
  if (hasEntityTag(request.headers['if-none-match'], hash, state.version)) {
    return { status: 304, headers: { etag: writeEntityTag(hash, state.version) } }
  }
  const { cache, compress } = request.server.lists
  const built = await cache.read({ request: hash, ...state }, () => inTurn(() => build(state)), enter)
  const response = pageResponse(request, built)
  const compressed = await compress(request.headers, response.body)
  const etag = writeEntityTag(hash, built.version)
  return { ...response, body: compressed.body, headers: { ...response.headers, etag, ...compressed.headers } }
}

async function readWhole(
  db: ActorDatabase,
  { statement, values, owner }: ListReading,
  state: VersionRow,
): Promise<ListRow> {
  const read = db.query(statement, values).catch((err: unknown) => [tooLong(err, state)])
  return found<ListRow>(await read, owner?.name ?? 'list')
}

/** The version was read before the text: the text may be newer, and is never older. */
async function buildWritten(
  services: Omit<BuildContext, 'audience'>,
  list: WrittenList,
  { values, page, state }: { readonly values: NamedValues; readonly page: ListPage; readonly state: State },
): Promise<BuiltList> {
  const { body, next } = await list.build({ ...services, audience: state.audience }, values, page)
  return { ...state, next, body: body.length > LIST_LIMIT_BYTES ? null : body }
}

/**
 * The present text of a document without a response, from the cache if it has this version. A
 * caller waits for `enter` before it builds.
 */
export async function readDocument(
  services: Omit<BuildContext, 'audience'>,
  document: WrittenList,
  values: NamedValues,
  enter?: () => Promise<void>,
): Promise<string> {
  const state = await readState(services.db, document, values)
  const build = () => buildWritten(services, document, { values, page: WHOLE_LIST, state })
  const { body } = await services.cache.read({ request: document.hash(values), ...state }, build, enter)
  if (body === null) throw new Error(`${document.name} is too long`)
  return String(body)
}

/** The present state of a polled list. Throws NOT_FOUND and the refusal of its owner. */
async function readState(
  db: ActorDatabase,
  { version, owner }: Pick<WrittenList | List, 'version' | 'owner'>,
  values: NamedValues,
): Promise<State> {
  if (version === undefined) throw new Error('a list without a version is not polled')
  const { refusal, ...row } = found(await db.queryQuickly(version, values), owner?.name ?? 'list')
  if (refusal !== null) throw new AppError(refusal, owner?.refusal?.messages[refusal] ?? '')
  return requireState(row)
}

export const invalidCursor = () => new AppError('VALIDATION', 'after must be the cursor from a Link header')

const NO_VERSION = { version: null, audience: null }

function buildList(row: ListRow): BuiltList {
  const body = row.body === null ? null : Buffer.from(row.body)
  return { ...requireState(row), next: row.next, body }
}

function requireState({ version, audience }: VersionRow): State {
  if (version === null || audience === null) throw new Error('a polled list must have a version')
  return { version, audience }
}

function pageResponse<Body extends string | NonNullable<BuiltList['body']>>(
  { url }: FastifyRequest,
  { body, next }: { readonly body: Body | null; readonly next: string | null },
) {
  if (body === null) {
    throw new AppError(
      'VALIDATION',
      'limit must be given, or be smaller: the list is too long for one response',
    )
  }
  const headers: Record<string, string> = next === null ? {} : { link: nextLink(url, next) }
  return { status: 200, body, headers }
}

/** PostgreSQL itself cannot build such a long text (54000). */
function tooLong(err: unknown, state: VersionRow): ListRow {
  if (err instanceof DatabaseError && err.sqlState === '54000') return { ...state, body: null, next: null }
  throw err
}

/** The request may have a whole URL (RFC 9112, 3.2.2); its host comes from the client: left out. */
function nextLink(url: string, next: string): string {
  const [address = ''] = url.split('?', 1)
  const search = new URLSearchParams(url.slice(address.length + 1))
  search.set('after', writeCursor(next))
  return `<${address.replace(/^https?:\/\/[^/]*/i, '')}?${search}>; rel="next"`
}
