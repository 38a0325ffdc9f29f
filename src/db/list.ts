import type { Value } from './database.ts'
import { FIRST_VALUE, type GuardedStatement, guarded } from './guarded.ts'

/** One part of a list's order; an instant is ordered by and carried as its microseconds since 1970. */
interface KeyPart {
  readonly column: string
  readonly type: 'uuid' | 'integer' | 'bigint' | 'instant' | 'text'
}

interface ListDefinition {
  /** The JSON of one item. */
  readonly item: string
  /** Everything after `from`, with its `where`. */
  readonly from: string
  /** How many values `item` and `from` bind, from $4 on. */
  readonly values: number
  /** The order, unique as a whole. */
  readonly key: readonly KeyPart[]
  readonly direction: 'asc' | 'desc'
  /** Without this condition there is no list to read (404). */
  readonly given?: string
  /**
   * SQL text, for lists that are polled: as long as it is the same for an actor and values, so is the list. It costs much less than the list;
   * `changesOf` makes it, with what else the list depends on, such as the time, beside it.
   */
  readonly version?: string
}

/**
 * Without a body the list is there, but longer than one answer may be, or known to the client. A list that is not polled has no version.
 */
export type ListRow = {
  body: string | null
  next: string | null
  version: string | null
  is_known: boolean | null
}

/** The longest answer of a list, in bytes. A text beyond 512 MiB cannot even be read by Node. */
export const LIST_LIMIT_BYTES = 128 * 1024 * 1024

/** A list in its three forms: whole, its first page, and the page after a cursor (D6). */
export interface List {
  readonly whole: GuardedStatement<ListRow>
  readonly first: GuardedStatement<ListRow>
  readonly after: GuardedStatement<ListRow>
  readonly key: readonly KeyPart[]
  readonly isVersioned: boolean
}

/** What a client asks of a list: all of it, or `limit` items after an opaque cursor (D6). */
export interface Page {
  readonly limit?: number
  readonly after?: string
}

/** Defines a list as JSON text by keyset (D6): a page reads its own rows and one more, whatever lies before it. */
export function defineList(name: string, list: ListDefinition): List {
  const { version } = list
  const rows = (condition: string, ending: string, key = `, ${keyText(list.key)} as key`) => `
    select ${list.item} as item${key}
    from ${list.from} ${condition} ${version === undefined ? '' : 'and not (select current.is_known from current)'}
    order by ${list.key.map((part) => `${part.column} ${list.direction}`).join(', ')} ${ending}`
  const limit = `$${FIRST_VALUE + list.values}`
  const select = (columns: string, from: string) => `
    select ${columns}, ${versionColumns(version)}
    from (${from}) as rows
    having ${list.given ?? 'true'}`
  const page = (condition: string) =>
    select(
      `${bounded(`rows.number <= ${limit}::integer`)} as body,
           case when count(*) > ${limit}::integer then max(rows.key) filter (where rows.number = ${limit}::integer) end as next`,
      `select found.*, row_number() over () as number from (${rows(condition, `limit ${limit}::integer + 1`)}) as found`,
    )
  const form = (ending: string, query: string, pageValues: number) => {
    const known = `$${FIRST_VALUE + list.values + pageValues}`
    return guarded<ListRow>(`${name}_${ending}`, {
      ...(version !== undefined && { ctes: currentVersion(version, known) }),
      select: query,
    })
  }
  return {
    key: list.key,
    isVersioned: version !== undefined,
    whole: form('whole', select(`${bounded('true')} as body, null as next`, rows('', '', '')), 0),
    first: form('first', page(''), 1),
    after: form('after', page(afterCondition(list)), 1 + list.key.length),
  }
}

/**
 * The version of a list for its actor, and whether it is one of those that the client knows, `*` being any. A sub-select on `is_known` is
 * looked at before the first row: of a list that is known none is read.
 */
function currentVersion(version: string, known: string): string {
  const state = `concat_ws(' ', $1::uuid, $2::integer, ${version})`
  return `stated as materialized (
      select left(encode(sha256(convert_to(${state}, 'UTF8')), 'hex'), 32) as version
    ), current as materialized (
      select stated.version, stated.version = any (${known}::text[]) or '*' = any (${known}::text[]) as is_known from stated
    )`
}

function versionColumns(version: string | undefined): string {
  if (version === undefined) return 'null as version, false as is_known'
  return '(select current.version from current) as version, (select current.is_known from current) as is_known'
}

/**
 * Chooses the form of a list and the values that follow its own; the versions that the client knows come last, for a list that has any.
 * Answers undefined for a cursor that is not ours.
 */
export function pageOf(
  list: List,
  page: Page,
): { statement: GuardedStatement<ListRow>; values: Value[] } | undefined {
  const limit = page.limit ?? 2_000_000_000
  if (page.after !== undefined) {
    const parts = readCursor(page.after, list.key)
    return parts && { statement: list.after, values: [limit, ...parts] }
  }
  return page.limit === undefined
    ? { statement: list.whole, values: [] }
    : { statement: list.first, values: [limit] }
}

/** Makes the opaque cursor out of a list's `next`. */
export function writeCursor(next: string): string {
  return Buffer.from(next, 'utf8').toString('base64url')
}

function readCursor(cursor: string, key: readonly KeyPart[]): string[] | undefined {
  const parts = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!Array.isArray(parts) || parts.length !== key.length) return undefined
  const texts = parts.filter((part) => typeof part === 'string')
  const fits = texts.length === key.length && key.every((part, i) => shapes[part.type](texts[i] ?? ''))
  return fits ? texts : undefined
}

/** The instants of the years 1 to 9999, which are those of RFC 3339, in microseconds since 1970. */
const FIRST_INSTANT = -62_135_596_800_000_000n
const LAST_INSTANT = 253_402_300_799_999_999n

/** What PostgreSQL reads as a value of each type, so that no cursor makes it fail. */
const shapes = {
  uuid: (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  integer: (text: string) => /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31,
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

function bounded(condition: string): string {
  return `case when coalesce(sum(octet_length(rows.item::text)), 0) <= ${LIST_LIMIT_BYTES}
           then '[' || coalesce(string_agg(rows.item::text, ',') filter (where ${condition}), '') || ']' end`
}

function keyText(key: readonly KeyPart[]): string {
  const parts = key.map(({ column, type }) =>
    type === 'instant' ? `(extract(epoch from ${column}) * 1000000)::bigint::text` : `${column}::text`,
  )
  return `json_build_array(${parts.join(', ')})::text`
}

function afterCondition(list: ListDefinition): string {
  const columns = list.key.map((part) => part.column).join(', ')
  const bound = list.key.map(({ type }, i) => {
    const value = `$${FIRST_VALUE + list.values + 1 + i}`
    return type === 'instant' ? instantOf(`${value}::bigint`) : `${value}::${type}`
  })
  return `and (${columns}) ${list.direction === 'asc' ? '>' : '<'} (${bound.join(', ')})`
}

/** Seconds and the rest apart: PostgreSQL multiplies intervals by floating point, which is exact to the microsecond only until the year 2255. */
function instantOf(microseconds: string): string {
  return `timestamptz 'epoch' + ${microseconds} / 1000000 * interval '1 second' + ${microseconds} % 1000000 * interval '1 microsecond'`
}
