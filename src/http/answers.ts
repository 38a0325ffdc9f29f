import { DatabaseError, type Value } from '../db/database.ts'
import { type List, type ListRow, type Page, pageOf, writeCursor } from '../db/list.ts'
import type { ActorDatabase } from './actor.ts'
import { describeRequest, readKnownVersions, writeEntityTag } from './entity-tags.ts'
import { AppError } from './errors.ts'
import type { Answer } from './route.ts'

/** 200 with JSON text that the database built. */
export const ok = (body: string): Answer => ({ status: 200, body })

/** 201 with JSON text that the database built. */
export const created = (body: string): Answer => ({ status: 201, body })

/** 204 without a body. */
export const noContent: Answer = { status: 204 }

/** The row that a statement answered. Throws NOT_FOUND, naming what there is none of. */
export function found<R>(rows: readonly R[], what: string): R {
  const [row] = rows
  if (row === undefined) throw new AppError('NOT_FOUND', `There is no such ${what}`)
  return row
}

/**
 * Answers a list, whole or by page, with the link to the next page (D6); one that has a version with its entity tag, and 304 where the client
 * knows it. Throws VALIDATION for a cursor that is not ours, NOT_FOUND where the list's owner does not exist.
 */
export async function answerList(
  ctx: {
    readonly db: ActorDatabase
    readonly url: string
    readonly query: Page
    readonly ifNoneMatch: string | undefined
  },
  list: List,
  values: readonly Value[],
  owner: string,
): Promise<Answer> {
  const page = pageOf(list, ctx.query)
  if (page === undefined) throw new AppError('VALIDATION', 'after must be the cursor out of a Link header')
  const { statement } = page
  const asked = [...values, ...page.values]
  if (!list.isVersioned)
    return answerPage(ctx, await ctx.db.ask(statement, asked).catch(refuseTooLong), owner)
  const request = describeRequest(statement.text, asked)
  const known = readKnownVersions(ctx.ifNoneMatch, request)
  const rows = await ctx.db.ask(statement, [...asked, known]).catch(refuseTooLong)
  const etag = writeEntityTag(request, found(rows, owner).version)
  return answerPage(ctx, rows, owner, { etag })
}

function answerPage(
  { url }: { readonly url: string },
  rows: readonly ListRow[],
  owner: string,
  headers: Record<string, string> = {},
): Answer {
  const { body, next, is_known } = found(rows, owner)
  if (is_known) return { status: 304, headers }
  if (body === null) refuseTooLong()
  return { status: 200, body, headers: next === null ? headers : { ...headers, link: nextLink(url, next) } }
}

/** The list is longer than an answer may be, or than PostgreSQL itself can put into one text (54000). */
function refuseTooLong(err?: unknown): never {
  if (err !== undefined && !(err instanceof DatabaseError && err.sqlState === '54000')) throw err
  throw new AppError('VALIDATION', 'limit must be given, or be smaller: the list is too long for one answer')
}

/** A request may name its whole address (RFC 9112, 3.2.2); the host in it is the client's word, and a link must not lead there. */
function nextLink(url: string, next: string): string {
  const [address = ''] = url.split('?', 1)
  const search = new URLSearchParams(url.slice(address.length + 1))
  search.set('after', writeCursor(next))
  return `<${address.replace(/^https?:\/\/[^/]*/i, '')}?${search}>; rel="next"`
}
