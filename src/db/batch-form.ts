import {
  type BatchForm,
  type Columns,
  type NamedSql,
  type NamedValues,
  type Params,
  type RowOf,
  type Statement,
  shapesOf,
  statement,
  type Value,
  type Values,
} from './statement.ts'

/**
 * How a statement is coalesced: `reads` of one row each, or a write whose SQL says `requests`, a
 * relation with one row for each request. In its SQL `:name` must be in the scope of `requests`.
 */
export type Coalescing = 'reads' | 'writes' | { readonly writesApart: string }

/** The relation of the requests in the single form of a write. */
export const ONE_REQUEST = 'requests as not materialized (select 1 as place)'

/** SQL condition in a coalesced write: the CTE has a row for the request; it has `place`. */
export const hasRow = (cte: string) => `exists (select from ${cte} where ${cte}.place = requests.place)`

/**
 * A batch waits this long for a lock, in milliseconds; then its requests run one by one, and only
 * those that need the locked row wait on.
 */
const LOCK_TIMEOUT_MS = 250

const PARAMETER = /(?<![:\w]):([a-z]\w*)/g

/**
 * Makes the batch form of a statement from its SQL with parameters by name. For a write the SQL is
 * the whole text after `with requests as (…)`, and selects `requests.place`.
 */
export function batchForm({ name, params, columns, sql }: NamedSql, kind: Coalescing): BatchForm {
  const order = [...new Set([...sql.matchAll(PARAMETER)].map(([, parameter = '']) => parameter))]
  const typeOf = (parameter: string) => (params[parameter] ?? '').replace(/ \| null|\?/, '')
  const isArray = (parameter: string) => typeOf(parameter).endsWith('[]')
  const types = order.map((parameter) => (isArray(parameter) ? 'text' : typeOf(parameter)))
  // A subquery hides the length of the array: the plan is the same for all batches, and is kept.
  const given = `unnest(${types.map((type, i) => `(select $${i + 1}::${type}[])`).join(', ')})
        with ordinality as given (${[...order, 'place'].join(', ')})`
  const body = sql.replaceAll(PARAMETER, (_, parameter: string) =>
    isArray(parameter) ? `requests.${parameter}::${typeOf(parameter)}` : `requests.${parameter}`,
  )
  const common = {
    name: `${name}_batch`,
    order,
    columns: withPlace(columns),
    apart: typeof kind === 'object' ? kind.writesApart : undefined,
  }
  if (kind === 'reads') {
    const text = `select requests.place::integer as place, results.*
    from (select given.* from ${given}) as requests
    cross join lateral (${body}) as results`
    return { ...common, text, writes: false }
  }
  const text = `with requests as materialized (
      select given.* from ${given}
      where set_config('lock_timeout', '${LOCK_TIMEOUT_MS}', true) is not null
    )${body}`
  return { ...common, text, writes: true }
}

/** The columns of rows with the place of their request. */
export const withPlace = (columns: Columns | undefined) => shapesOf(columns, { place: 'integer' })

/** Defines a read like `statement`; requests that arrive together share one run of it. */
export function coalescedStatement<const C extends Columns, P extends Params>(definition: {
  readonly name: string
  readonly params: P
  readonly columns: C
  readonly sql: string
}): Statement<RowOf<C>, Values<P>> {
  const columns = shapesOf(definition.columns)
  return { ...statement(definition), batch: batchForm({ ...definition, columns }, 'reads') }
}

/** The arrays of a batch, one element for each request. */
export function bindBatch({ order }: BatchForm, requests: readonly NamedValues[]): Value[] {
  return order.map((name) => requests.map((values) => elementOf(values[name])))
}

function elementOf(value: Value | undefined): string | number | boolean | null {
  if (value === undefined || value === null) return null
  if (Buffer.isBuffer(value)) throw new Error('a coalesced statement cannot have binary parameters')
  return typeof value === 'object' ? writeArray(value) : value
}

/** An array as PostgreSQL reads it from text. */
function writeArray(items: readonly unknown[]): string {
  const texts = items.map((item) =>
    item === null ? 'NULL' : `"${String(item).replaceAll(/["\\]/g, (character) => `\\${character}`)}"`,
  )
  return `{${texts.join(',')}}`
}
