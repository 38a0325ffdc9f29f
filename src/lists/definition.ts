import { type ActorStatement, actorStatement } from '../db/actor-statement.ts'
import {
  type NamedValues,
  type NoParams,
  oneOf,
  type Params,
  type RowOf,
  type Values,
} from '../db/statement.ts'
import { type ErrorKind, errorKinds } from '../http/routing/errors.ts'
import { type KeyPart, type ListOrder, pageParams } from './order.ts'

export interface ListDefinition<P extends Params> {
  readonly name: string
  readonly params?: P
  /** Common table expressions, for all other parts. */
  readonly with?: string
  /** The JSON of one item. */
  readonly item: string
  readonly from: string
  readonly where?: string
  /** The order, unique as a whole. */
  readonly order: ListOrder
  /**
   * SQL expression of the bytes of an item's long texts, such as programs, outputs and prompts: the
   * list is heavy. `octet_length` of a text reads no long text.
   */
  readonly bytes?: string
  /** The record that the list belongs to; 404 with its name where `exists` is false. */
  readonly owner?: ListOwner
  /** For lists that clients poll. */
  readonly version?: ListVersion
}

export interface ListOwner {
  readonly name: string
  /** SQL condition. */
  readonly exists: string
  /** Only for polled lists. */
  readonly refusal?: ListRefusal
}

/** Who may not read a list although its owner exists. */
export interface ListRefusal {
  /** SQL expression: the kind of error for the actor; null: the actor may read the list. */
  readonly kind: string
  readonly messages: Partial<Record<ErrorKind, string>>
}

/** SQL expressions that tell cheaply whether a list has changed. */
export interface ListVersion {
  /** Changes whenever the list changes for one audience: `changesOf` tables, the time and so on. */
  readonly changes: string
  /** Users of one audience see the same list. Default: each user is an audience. */
  readonly audience?: string
}

/** The state of a polled list; both null for a list without a version. */
const versionColumns = { version: 'text | null', audience: 'text | null' } as const

export type VersionRow = RowOf<typeof versionColumns>

/** The state of a polled list, and the kind of error that its reader gets. */
const stateColumns = { ...versionColumns, refusal: oneOf(...errorKinds, null) }

/** A list without a body is longer than `LIST_LIMIT_BYTES`. */
const listColumns = { ...versionColumns, body: 'text | null', next: 'text | null' } as const

export type ListRow = RowOf<typeof listColumns>

/** The longest list in one response, in bytes. Node cannot read a text beyond 512 MiB. */
export const LIST_LIMIT_BYTES = 128 * 1024 * 1024

/**
 * The texts of one page of a heavy list, in bytes; a longer item has a page of its own (D6). JSON
 * writes a byte as six at most, so a page stays below `LIST_LIMIT_BYTES`.
 */
export const PAGE_BYTES = 16 * 1024 * 1024

/** The bytes of an item besides its long texts. */
const ITEM_BYTES = 1024

export type ListStatement = ActorStatement<ListRow, NamedValues>

export type StateStatement = ActorStatement<RowOf<typeof stateColumns>, NamedValues>

/** A list in its three forms: whole, its first page, and the page after a cursor (D6). */
export interface List<V = never> {
  readonly name: string
  readonly whole: ListStatement
  readonly first: ListStatement
  readonly after: ListStatement
  readonly key: readonly KeyPart[]
  /** Its items have long texts: it uses the pool `lists`, and is measured before it is built. */
  readonly isHeavy: boolean
  readonly owner: ListOwner | undefined
  /** The present version of all three forms; undefined for a list that is not polled. */
  readonly version: StateStatement | undefined
  /** Carries the type of the values; never set. */
  readonly values?: (values: V) => void
}

/** Defines a list as JSON text by keyset (D6): a page reads its own rows and one more. */
export function defineList<P extends Params = NoParams>(list: ListDefinition<P>): List<Values<P>> {
  const { name, owner, version, order, bytes } = list
  const params: Params = { ...list.params, ...pageParams(order.key) }
  const where = owner === undefined ? '' : `where ${owner.exists}`
  const state = stateOf(version)
  const form = (ending: string, { body, next, rows }: Form): ListStatement =>
    actorStatement({
      name: `${name}_${ending}`,
      params,
      with: list.with,
      columns: listColumns,
      select: `
    select page.body, page.next, state.version, state.audience
    from (
    select ${body} as body,
    ${next} as next
    from (${rows}) as rows
    ) as page
    cross join (${state}) as state
    ${where}`,
    })
  const forms = bytes === undefined ? formsOf(list) : heavyFormsOf(list, bytes)
  return {
    name,
    key: order.key,
    isHeavy: bytes !== undefined,
    owner,
    version: version && stateStatement({ name, params, owner, version }),
    whole: form('whole', forms.whole),
    first: form('first', forms.page('')),
    after: form('after', forms.page(afterCondition(order))),
  }
}

/** The statement that reads the state of a polled list or document. */
export function stateStatement<P extends Params>({
  name,
  params,
  owner,
  version,
}: {
  readonly name: string
  readonly params: P
  readonly owner: ListOwner | undefined
  readonly version: ListVersion
}): StateStatement {
  return actorStatement({
    name: `${name}_version`,
    coalesced: 'reads',
    params: params as Params,
    columns: stateColumns,
    select: `
    select state.version, state.audience, ${owner?.refusal?.kind ?? 'null'} as refusal
    from (${stateOf(version)}) as state
    ${owner === undefined ? '' : `where ${owner.exists}`}`,
  })
}

/** The SQL that builds a list: its rows, the JSON of them all, and the cursor to the next page. */
interface Form {
  readonly rows: string
  readonly body: string
  readonly next: string
}

interface Forms {
  readonly whole: Form
  /** Of the rows that fulfil a condition. */
  readonly page: (condition: string) => Form
}

type Source = Pick<ListDefinition<Params>, 'item' | 'from' | 'where' | 'order'>

function formsOf({ item, from, where = 'true', order }: Source): Forms {
  const rows = (columns: string, condition: string) => `
    select ${item} as item${columns}
    from ${from}
    where ${where}${condition}
    order by ${inOrder(order)}`
  return {
    whole: { rows: rows('', ''), body: bodyOf(), next: 'null' },
    page: (condition) => ({
      rows: `
    select found.*, row_number() over () as number
    from (${rows(keyColumns(order.key), condition)} limit :page_limit + 1) as found`,
      body: bodyOf('rows.number <= :page_limit'),
      next: `case when count(*) > :page_limit
        then max(${keyText(order.key)}) filter (where rows.number = :page_limit) end`,
    }),
  }
}

/**
 * Measures the long texts before it builds any JSON. A whole list that is too long gets no body, a
 * page gets the items that fit. `case` builds the items after the window functions, in order.
 */
function heavyFormsOf({ item, from, where = 'true', order }: Source, bytes: string): Forms {
  const sum = `sum(${bytes} + ${ITEM_BYTES})`
  const rows = (fits: string, frame: string, columns: string, condition: string) => `
    select case when ${fits} then ${item} end as item, ${fits} as fits${columns}
    from ${from}
    where ${where}${condition}
    window listed as (order by ${inOrder(order)} rows between unbounded preceding and ${frame})
    order by ${inOrder(order)}`
  const place = 'row_number() over listed'
  const fitsPage = `(${place} = 1 or (${place} <= :page_limit and ${sum} over listed <= ${PAGE_BYTES}))`
  return {
    whole: {
      rows: rows(`(${sum} over listed <= ${LIST_LIMIT_BYTES})`, 'unbounded following', '', ''),
      body: `case when coalesce(bool_and(rows.fits), true) then ${bodyOf()} end`,
      next: 'null',
    },
    page: (condition) => ({
      rows: `${rows(fitsPage, 'current row', `, ${place} as number${keyColumns(order.key)}`, condition)} limit :page_limit + 1`,
      body: bodyOf('rows.fits'),
      next: `case when not bool_and(rows.fits)
        then (array_agg(${keyText(order.key)} order by rows.number desc) filter (where rows.fits))[1] end`,
    }),
  }
}

const inOrder = ({ key, direction }: ListOrder) =>
  key.map(({ column }) => `${column} ${direction}`).join(', ')

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

/** A JSON array of the items; null if it is too long. */
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
