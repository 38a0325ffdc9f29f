import { DatabaseError, type Value } from '../../db/database.ts'
import type { KeptLists } from '../../lists/cache.ts'
import {
  type List,
  type ListRow,
  type Page,
  pageOf,
  type VersionRow,
  writeCursor,
} from '../../lists/definition.ts'
import { describeRequest, isKnown, writeEntityTag } from '../../lists/entity-tag.ts'
import type { ActorDatabase } from './actor.ts'
import { AppError } from './errors.ts'
import type { RouteResponse } from './route.ts'

/** 200 with JSON text that the database built. */
export const ok = (body: string): RouteResponse => ({ status: 200, body })

/** 201 with JSON text that the database built. */
export const created = (body: string): RouteResponse => ({ status: 201, body })

/** 204 without a body. */
export const noContent: RouteResponse = { status: 204 }

/** The row that a statement answered. Throws NOT_FOUND, naming what there is none of. */
export function found<R>(rows: readonly R[], what: string): R {
  const [row] = rows
  if (row === undefined) throw new AppError('NOT_FOUND', `There is no such ${what}`)
  return row
}

/** What answering a list needs of a request. */
interface ListContext {
  readonly db: ActorDatabase
  readonly lists: KeptLists
  readonly url: string
  readonly query: Page
  readonly ifNoneMatch: string | undefined
}

/**
 * Answers a list, whole or by page, with the link to the next page (D6); one that is polled with its entity tag, and 304 where the client
 * knows it. Throws VALIDATION for a cursor that is not ours, NOT_FOUND where the list's owner does not exist.
 */
export async function answerList(
  ctx: ListContext,
  list: List,
  values: readonly Value[],
  owner: string,
): Promise<RouteResponse> {
  const page = pageOf(list, ctx.query)
  if (page === undefined) throw new AppError('VALIDATION', 'after must be the cursor out of a Link header')
  const { statement } = page
  const asked = [...values, ...page.values]
  const read = async (state: VersionRow) =>
    found(await ctx.db.ask(statement, asked).catch((err) => [tooLong(err, state)]), owner)
  if (list.version === undefined) return answerPage(ctx, await read({ version: null, audience: null }))
  const state = readState(found(await ctx.db.askQuickly(list.version, values), owner))
  const request = describeRequest(statement.text, asked)
  if (isKnown(ctx.ifNoneMatch, request, state.version)) {
    return { status: 304, headers: { etag: writeEntityTag(request, state.version) } }
  }
  const built = await ctx.lists.read({ request, ...state }, async () => {
    const row = await read(state)
    return { ...readState(row), next: row.next, body: row.body === null ? null : Buffer.from(row.body) }
  })
  return answerPage(ctx, built, { etag: writeEntityTag(request, built.version) })
}

/** Throws where a list that is polled does not say its version. */
function readState({ version, audience }: VersionRow): { version: string; audience: string } {
  if (version === null || audience === null) throw new Error('a list that is polled has no version')
  return { version, audience }
}

function answerPage(
  { url }: ListContext,
  { body, next }: { readonly body: string | Buffer | null; readonly next: string | null },
  headers: Record<string, string> = {},
): RouteResponse {
  if (body === null) {
    throw new AppError(
      'VALIDATION',
      'limit must be given, or be smaller: the list is too long for one answer',
    )
  }
  return { status: 200, body, headers: next === null ? headers : { ...headers, link: nextLink(url, next) } }
}

/** PostgreSQL itself cannot put so much into one text (54000): the same as if the statement had said that it is more than an answer may be. */
function tooLong(err: unknown, state: VersionRow): ListRow {
  if (err instanceof DatabaseError && err.sqlState === '54000') return { ...state, body: null, next: null }
  throw err
}

/** A request may name its whole address (RFC 9112, 3.2.2); the host in it is the client's word, and a link must not lead there. */
function nextLink(url: string, next: string): string {
  const [address = ''] = url.split('?', 1)
  const search = new URLSearchParams(url.slice(address.length + 1))
  search.set('after', writeCursor(next))
  return `<${address.replace(/^https?:\/\/[^/]*/i, '')}?${search}>; rel="next"`
}
