import Type from 'typebox'
import type { NamedValues } from '../db/statement.ts'
import { Written } from '../http/routing/schema.ts'
import type { List, ListRow } from './definition.ts'
import type { KeyPart } from './order.ts'

/** The query of every list (D6). */
export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'The maximum number of items.' }),
  ),
  after: Type.Optional(Written({ maxLength: 8000, description: 'The cursor from a `Link` header.' })),
})

/** The requested page: the whole list, or `limit` items after an opaque cursor (D6). */
export interface Page {
  readonly limit?: number
  readonly after?: string
}

/** Whether the page has no cursor, or one of a list with this key. */
export const hasCursorOf = (key: readonly Pick<KeyPart, 'type'>[], { after }: Page): boolean =>
  after === undefined || readCursor(after, key) !== undefined

const NO_LIMIT = 2_000_000_000

/** The form of a list for a page, with the page's values; undefined for a malformed cursor. */
export function pageOf(
  list: List,
  { limit, after }: Page,
): { statement: List['whole']; values: NamedValues } | undefined {
  if (after === undefined) {
    return limit === undefined
      ? { statement: list.whole, values: {} }
      : { statement: list.first, values: { page_limit: limit } }
  }
  const parts = readCursor(after, list.key)?.map((part, place) => [`page_after_${place}`, part])
  const values = parts && { page_limit: limit ?? NO_LIMIT, ...Object.fromEntries(parts) }
  return values && { statement: list.after, values }
}

/** Makes the opaque cursor from a list's `next`. */
export function writeCursor(next: NonNullable<ListRow['next']>): string {
  return Buffer.from(next, 'utf8').toString('base64url')
}

/** The key in a cursor; undefined if it is malformed. */
export function readCursor(cursor: string, key: readonly Pick<KeyPart, 'type'>[]): string[] | undefined {
  const parts = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!Array.isArray(parts) || parts.length !== key.length) return undefined
  const texts = parts.filter((part) => typeof part === 'string')
  const fits = texts.length === key.length && key.every((part, i) => shapes[part.type](texts[i] ?? ''))
  return fits ? texts : undefined
}

/** The years 1 to 9999 of RFC 3339, in microseconds since 1970. */
const FIRST_INSTANT = -62_135_596_800_000_000n
const LAST_INSTANT = 253_402_300_799_999_999n

/** The texts that PostgreSQL accepts for each type. Others would make the query fail. */
const shapes = {
  uuid: (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  integer: (text: string) => /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31,
  float8: (text: string) => /^-?\d{1,17}(\.\d{1,17})?(e-?\d{1,2})?$/.test(text),
  bigint: (text: string) => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n,
  instant: (text: string) =>
    /^-?\d{1,18}$/.test(text) && BigInt(text) >= FIRST_INSTANT && BigInt(text) <= LAST_INSTANT,
  text: (text: string) => !text.includes('\0'),
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
