import { type ActorStatement, actorStatement } from '../db/actor-statement.ts'
import { type NamedValues, type NoParams, type Params, row, type Values } from '../db/statement.ts'
import { type KeyPart, type ListOrder, pageParams } from './order.ts'

export interface ListDefinition<P extends Params> {
  readonly name: string
  readonly params?: P
  /** The JSON of one item. */
  readonly item: string
  readonly from: string
  readonly where?: string
  /** The order, unique as a whole. */
  readonly order: ListOrder
  /** The record that the list belongs to; 404 with its name where `exists` is false. */
  readonly owner?: ListOwner
  /** For lists that clients poll. */
  readonly version?: ListVersion
}

export interface ListOwner {
  readonly name: string
  /** SQL condition. */
  readonly exists: string
}

/** SQL expressions that tell cheaply whether a list has changed. */
export interface ListVersion {
  /** Changes whenever the list changes for one audience: `changesOf` tables, the time and so on. */
  readonly changes: string
  /** Users of one audience see the same list. Default: each user is an audience. */
  readonly audience?: string
}

/** The state of a polled list; both null for a list without a version. */
export type VersionRow = { version: string | null; audience: string | null }

/** A list without a body is longer than `LIST_LIMIT_BYTES`. */
export type ListRow = VersionRow & { body: string | null; next: string | null }

/** The longest list in one response, in bytes. Node cannot read a text beyond 512 MiB. */
export const LIST_LIMIT_BYTES = 128 * 1024 * 1024

type ListStatement = ActorStatement<ListRow, NamedValues>

/** A list in its three forms: whole, its first page, and the page after a cursor (D6). */
export interface List<V = never> {
  readonly name: string
  readonly whole: ListStatement
  readonly first: ListStatement
  readonly after: ListStatement
  readonly key: readonly KeyPart[]
  readonly owner: string | undefined
  /** The present version of all three forms; undefined for a list that is not polled. */
  readonly version: ActorStatement<VersionRow, NamedValues> | undefined
  /** Carries the type of the values; never set. */
  readonly values?: (values: V) => void
}

/** Defines a list as JSON text by keyset (D6): a page reads its own rows and one more. */
export function defineList<P extends Params = NoParams>(list: ListDefinition<P>): List<Values<P>> {
  const { name, owner, version, order } = list
  const params: Params = { ...list.params, ...pageParams(order.key) }
  const where = owner === undefined ? '' : `where ${owner.exists}`
  const state = stateOf(version)
  const rows = (condition: string, limit: string, key: string) => `
    select ${list.item} as item${key}
    from ${list.from}
    where ${list.where ?? 'true'}${condition}
    order by ${order.key.map(({ column }) => `${column} ${order.direction}`).join(', ')}${limit}`
  const form = (ending: string, body: string, next: string, from: string): ListStatement =>
    actorStatement({
      name: `${name}_${ending}`,
      params,
      row: row<ListRow>(),
      select: `
    select page.body, page.next, state.version, state.audience
    from (
    select ${body} as body,
    ${next} as next
    from (${from}) as rows
    ) as page
    cross join (${state}) as state
    ${where}`,
    })
  const page = (ending: string, condition: string) =>
    form(
      ending,
      bodyOf('rows.number <= :page_limit'),
      `case when count(*) > :page_limit then max(${keyText(order.key)}) filter (where rows.number = :page_limit) end`,
      `
    select found.*, row_number() over () as number
    from (${rows(condition, ' limit :page_limit + 1', keyColumns(order.key))}) as found`,
    )
  return {
    name,
    key: order.key,
    owner: owner?.name,
    version:
      version &&
      actorStatement({
        name: `${name}_version`,
        params,
        row: row<VersionRow>(),
        select: `
    select state.version, state.audience
    from (${state}) as state
    ${where}`,
      }),
    whole: form('whole', bodyOf(), 'null', rows('', '', '')),
    first: page('first', ''),
    after: page('after', afterCondition(order)),
  }
}

const ACTOR_ALONE = `concat_ws(' ', :actor, :actor_role)`

/** A version is the version of a list for one audience. */
function stateOf(version: ListVersion | undefined): string {
  if (version === undefined) return 'select null as version, null as audience'
  const { changes, audience = ACTOR_ALONE } = version
  return `
    select left(encode(sha256(convert_to(concat_ws(' ', audience.name, ${changes}), 'UTF8')), 'hex'), 32) as version,
    audience.name as audience
    from (select (${audience})::text as name) as audience`
}

/** A JSON array of the items; null if it would be too long. */
function bodyOf(condition?: string): string {
  const filter = condition === undefined ? '' : ` filter (where ${condition})`
  return `case when coalesce(sum(octet_length(rows.item::text)), 0) <= ${LIST_LIMIT_BYTES}
        then '[' || coalesce(string_agg(rows.item::text, ',')${filter}, '') || ']' end`
}

const keyColumns = (key: readonly KeyPart[]) =>
  key.map(({ column }, place) => `, ${column} as key_${place}`).join('')

/** Cursor key, computed for the last row only. */
function keyText(key: readonly KeyPart[]): string {
  const parts = key.map(({ type }, place) =>
    type === 'instant'
      ? `(extract(epoch from rows.key_${place}) * 1000000)::bigint::text`
      : `rows.key_${place}::text`,
  )
  return `json_build_array(${parts.join(', ')})::text`
}

function afterCondition({ key, direction }: ListOrder): string {
  const columns = key.map(({ column }) => column).join(', ')
  const values = key.map(({ type }, place) =>
    type === 'instant' ? instantOf(`:page_after_${place}`) : `:page_after_${place}`,
  )
  return ` and (${columns}) ${direction === 'asc' ? '>' : '<'} (${values.join(', ')})`
}

/** Whole seconds and the rest separately: `interval` loses microseconds after the year 2255. */
function instantOf(microseconds: string): string {
  return `timestamptz 'epoch' + ${microseconds} / 1000000 * interval '1 second' + ${microseconds} % 1000000 * interval '1 microsecond'`
}
