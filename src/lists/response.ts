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
import type { PolledDocument } from './document.ts'
import { hasEntityTag, hashQuery, writeEntityTag } from './entity-tag.ts'
import { type KeptRows, spliceRows } from './kept-rows.ts'
import type { KeptTexts } from './kept-texts.ts'
import { type Page, pageOf, writeCursor } from './page.ts'
import type { RowsForm } from './rows.ts'
import { type AccountTurns, type Turn, takeTurn } from './turns.ts'

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
export function respondWithList(ctx: ListContext, list: List, values: NamedValues): Promise<RouteResponse> {
  const page = pageOf(list, ctx.query)
  if (page === undefined) throw invalidCursor()
  const { version, owner, isHeavy } = list
  const isWhole = page.statement === list.whole
  const isShort = isWhole && list.isShort
  return respond(ctx, {
    ...{ version, owner, statement: page.statement, values: { ...values, ...page.values } },
    rows: isWhole ? list.rows : undefined,
    isShort,
    isLong: isHeavy || (ctx.query.limit === undefined && !isShort),
  })
}

/** Responds with a document as with a whole polled list. */
export function respondWithDocument(
  ctx: Omit<ListContext, 'query'>,
  { version, owner, rows, statement }: PolledDocument,
  values: NamedValues,
): Promise<RouteResponse> {
  return respond(ctx, { version, owner, rows, statement, values, isShort: false, isLong: true })
}

interface Reading {
  readonly statement: ListStatement
  readonly version: StateStatement | undefined
  readonly owner: ListOwner | undefined
  readonly rows: RowsForm | undefined
  readonly values: NamedValues
  /** Read in the quick pool. */
  readonly isShort: boolean
  /** One account builds few long responses at the same time; cached ones and 304 need no turn. */
  readonly isLong: boolean
}

async function respond(
  { db, request }: Omit<ListContext, 'query'>,
  reading: Reading,
): Promise<RouteResponse> {
  const { statement, version, owner, values, isLong } = reading
  const record = owner?.name ?? 'list'
  let turn: Turn | undefined
  const enter = async () => {
    if (isLong) turn = await takeTurn(request)
  }
  const inTurn = <T>(work: () => Promise<T>) => (turn === undefined ? work() : turn.build(work))
  if (version === undefined) {
    await enter()
    return pageResponse(request, await inTurn(() => readWhole(db, reading, NO_VERSION)))
  }
  const { refusal, ...row } = found(await db.queryQuickly(version, values), record)
  if (refusal !== null) throw new AppError(refusal, owner?.refusal?.messages[refusal] ?? '')
  const state = requireState(row)
  const hash = hashQuery(statement.text, bind(statement, values))
  if (hasEntityTag(request.headers['if-none-match'], hash, state.version)) {
    return { status: 304, headers: { etag: writeEntityTag(hash, state.version) } }
  }
  const { cache, compress } = request.server.lists
  const wanted = { request: hash, ...state }
  const build = async (known: Known) =>
    (await buildFromRows(db, reading, known)) ?? buildList(await readWhole(db, reading, state))
  const built = await cache.read(
    wanted,
    (earlier, ofOthers) => inTurn(() => build({ earlier, ofOthers })),
    enter,
  )
  const response = pageResponse(request, built)
  const compressed = await compress(request.headers, response.body)
  const etag = writeEntityTag(hash, built.version)
  return { ...response, body: compressed.body, headers: { ...response.headers, etag, ...compressed.headers } }
}

async function readWhole(
  db: ActorDatabase,
  { statement, values, owner, isShort }: Reading,
  state: VersionRow,
): Promise<ListRow> {
  const reading = isShort ? db.queryQuickly(statement, values) : db.query(statement, values)
  const read = reading.catch((err: unknown) => [tooLong(err, state)])
  return found<ListRow>(await read, owner?.name ?? 'list')
}

/** An earlier version of a list, and its rows for another audience. */
interface Known {
  readonly earlier: BuiltList | undefined
  readonly ofOthers: KeptRows | undefined
}

/** In bytes: of longer texts no rows are kept. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024

/**
 * The list from the rows of an earlier version and those that have changed since. Without an earlier
 * version nobody polls it, so its rows are not kept.
 */
async function buildFromRows(
  db: ActorDatabase,
  { rows, values, owner }: Reading,
  { earlier, ofOthers }: Known,
): Promise<BuiltList | undefined> {
  if (rows === undefined || earlier === undefined || isTooLong(earlier.body)) return undefined
  const kept = earlier.rows
  const position = { kept_basis: kept?.basis ?? null, kept_snapshot: kept?.snapshot ?? null }
  const read = found(await db.query(rows.statement, { ...values, ...position }), owner?.name ?? 'list')
  const spliced = spliceRows(kept, read, rows, ofOthers)
  const { text } = spliced
  return isTooLong(text) ? undefined : { ...requireState(read), next: null, body: text, rows: spliced }
}

const isTooLong = (body: BuiltList['body']) => body === null || body.length > MOST_KEPT_BYTES

/** The present text of a document without a response, from the cache if it has this version. */
export async function readDocument(
  { db, cache }: { readonly db: ActorDatabase; readonly cache: ListCache },
  { version, owner, statement }: PolledDocument,
  values: NamedValues,
): Promise<string> {
  const { refusal: _, ...row } = found(await db.queryQuickly(version, values), owner.name)
  const request = hashQuery(statement.text, bind(statement, values))
  const built = await cache.read({ request, ...requireState(row) }, async () =>
    buildList(found(await db.query(statement, values), owner.name)),
  )
  return String(built.body)
}

export const invalidCursor = () => new AppError('VALIDATION', 'after must be the cursor from a Link header')

const NO_VERSION = { version: null, audience: null }

function buildList(row: ListRow): BuiltList {
  const body = row.body === null ? null : Buffer.from(row.body)
  return { ...requireState(row), next: row.next, body }
}

function requireState({ version, audience }: VersionRow): { version: string; audience: string } {
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
