import { FIRST_VALUE, type GuardedStatement, guarded } from '../db/actor-statement.ts'
import type { Value } from '../db/database.ts'

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
  /** For lists that are polled. */
  readonly version?: ListVersion
}

/** SQL texts that tell, for much less than the list costs, whether it is the same as before. */
export interface ListVersion {
  /** As long as it is the same, so is the list to one audience. `changesOf` makes it, with what else the list depends on, such as the time, beside it. */
  readonly changes: string
  /** What of the actor the list depends on: actors of one audience are shown the same. Unless given, each is an audience alone. */
  readonly audience?: string
}

/** The state of a list that is polled; without a version one that is not. */
export type VersionRow = { version: string | null; audience: string | null }

/** Without a body the list is longer than one answer may be. */
export type ListRow = VersionRow & { body: string | null; next: string | null }

/** The longest answer of a list, in bytes. A text beyond 512 MiB cannot even be read by Node. */
export const LIST_LIMIT_BYTES = 128 * 1024 * 1024

/** A list in its three forms: whole, its first page, and the page after a cursor (D6). */
export interface List {
  readonly whole: GuardedStatement<ListRow>
  readonly first: GuardedStatement<ListRow>
  readonly after: GuardedStatement<ListRow>
  readonly key: readonly KeyPart[]
  /** The version that the three of them have now; undefined for a list that is not polled. */
  readonly version: GuardedStatement<VersionRow> | undefined
}

/** What a client asks of a list: all of it, or `limit` items after an opaque cursor (D6). */
export interface Page {
  readonly limit?: number
  readonly after?: string
}

/** Defines a list as JSON text by keyset (D6): a page reads its own rows and one more, whatever lies before it. */
export function defineList(name: string, list: ListDefinition): List {
  const { given = 'true', version } = list
  const state = version === undefined ? 'null as version, null as audience' : versionColumns(version)
  const rows = (condition: string, ending: string, key = keyColumns(list.key)) => `
    select ${list.item} as item${key}
    from ${list.from} ${condition}
    order by ${list.key.map((part) => `${part.column} ${list.direction}`).join(', ')} ${ending}`
  const limit = `$${FIRST_VALUE + list.values}`
  const form = (ending: string, columns: string, from: string) =>
    guarded<ListRow>(`${name}_${ending}`, {
      select: `select ${columns}, ${state} from (${from}) as rows having ${given}`,
    })
  const page = (ending: string, condition: string) =>
    form(
      ending,
      `${bounded(`rows.number <= ${limit}::integer`)} as body,
       case when count(*) > ${limit}::integer then max(${keyText(list.key)}) filter (where rows.number = ${limit}::integer) end as next`,
      `select found.*, row_number() over () as number from (${rows(condition, `limit ${limit}::integer + 1`)}) as found`,
    )
  return {
    key: list.key,
    version: version && guarded<VersionRow>(`${name}_version`, { select: `select ${state} where ${given}` }),
    whole: form('whole', `${bounded('true')} as body, null as next`, rows('', '', '')),
    first: page('first', ''),
    after: page('after', afterCondition(list)),
  }
}

/** The version tells audiences apart too. */
function versionColumns({
  changes,
  audience = "concat_ws(' ', $1::uuid, $2::integer)",
}: ListVersion): string {
  const state = `concat_ws(' ', ${audience}, ${changes})`
  return `left(encode(sha256(convert_to(${state}, 'UTF8')), 'hex'), 32) as version, (${audience})::text as audience`
}

/** Chooses the form of a list and the values that follow its own. Answers undefined for a cursor that is not ours. */
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

const keyColumns = (key: readonly KeyPart[]) =>
  key.map(({ column }, place) => `, ${column} as key_${place}`).join('')

/** Of a row of a page: only the last one's is written. */
function keyText(key: readonly KeyPart[]): string {
  const parts = key.map(({ type }, place) =>
    type === 'instant'
      ? `(extract(epoch from rows.key_${place}) * 1000000)::bigint::text`
      : `rows.key_${place}::text`,
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
