/** A value as both drivers bind it. Instants travel as ISO 8601 text, JSON as text. */
export type Value = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[]

export type Row = Record<string, unknown>

/** The JavaScript types of the values of PostgreSQL's types. */
interface Scalars {
  text: string
  uuid: string
  timestamptz: string
  json: string
  bigint: string | number
  integer: number
  float8: number
  boolean: boolean
  bytea: Buffer
}

type Type = keyof Scalars | `${keyof Scalars}[]`

/**
 * The names and PostgreSQL types of a statement's parameters. `text | null` must be given, and may
 * be undefined for null; `text?` may also be left out.
 */
export type Params = Readonly<Record<string, Type | `${Type} | null` | `${Type}?`>>

type ValueOf<T> = T extends `${infer Given} | null` | `${infer Given}?`
  ? ValueOf<Given> | null | undefined
  : T extends `${infer Item extends keyof Scalars}[]`
    ? readonly (Exclude<Scalars[Item], Buffer> | null)[]
    : T extends keyof Scalars
      ? Scalars[T]
      : never

type OptionalNames<P extends Params> = {
  [Name in keyof P]: P[Name] extends `${string}?` ? Name : never
}[keyof P]

/** The values of parameters, by name. */
export type Values<P extends Params> = {
  readonly [Name in Exclude<keyof P, OptionalNames<P>>]: ValueOf<P[Name]>
} & { readonly [Name in OptionalNames<P>]?: ValueOf<P[Name]> }

/** One SQL statement. PostgreSQL keeps it prepared under `name`: one name stands for one text. */
export interface Statement<R extends Row = Row, V = NamedValues> {
  readonly name: string
  readonly text: string
  /** The names of the values for `$1`, `$2`, …; undefined: the values are given by position. */
  readonly order: readonly string[] | undefined
  /** The form for many requests at once; undefined: each request runs it by itself. */
  readonly batch?: BatchForm | undefined
  /** It runs for many requests, which run one by one if it is rolled back: no second try. */
  readonly isBatch?: true
  /** Carries the types of rows and values; never set. */
  readonly types?: { readonly row: R; readonly values: V }
}

/** The form of a statement that runs for many requests at once: `requests` has one row for each. */
export interface BatchForm {
  readonly name: string
  /** SQL over arrays of the parameters. Its rows have the `place` of their request, from 1. */
  readonly text: string
  /** The names of the parameters whose arrays are `$1`, `$2`, … */
  readonly order: readonly string[]
  readonly writes: boolean
  /** Two requests with the same value of this parameter never share a batch. */
  readonly apart: string | undefined
}

export type NamedValues = Readonly<Record<string, Value | undefined>>

/** The arguments that follow a statement: none where it has no parameters. */
export type Arguments<V> = V extends readonly Value[]
  ? [values?: V]
  : keyof V extends never
    ? []
    : [values: V]

/** Carries the type of a statement's rows. */
export interface RowType<R extends Row> {
  readonly row?: R
}

/** Declares the type of a statement's rows. */
export const row = <R extends Row>(): RowType<R> => ({})

export type NoParams = Readonly<Record<never, never>>

/**
 * Defines a statement; its SQL has each parameter as `:name`, and the parameter's type is added.
 * Throws for a `:name` that is no parameter, and for a parameter that the SQL does not use.
 */
export function statement<R extends Row = Row, P extends Params = NoParams>(definition: {
  readonly name: string
  readonly params?: P
  readonly row?: RowType<R>
  readonly sql: string
}): Statement<R, Values<P>> {
  const { name, params = {}, sql } = definition
  const compiled = compile<R, Values<P>>(name, params, sql)
  const unused = Object.keys(params).filter((parameter) => !compiled.order?.includes(parameter))
  if (unused.length > 0) throw new Error(`${name} does not use :${unused.join(', :')}`)
  return compiled
}

/** SQL that is not prepared, with values by position: for tests, tools and migrations. */
export function unprepared<R extends Row>(text: string): Statement<R, readonly Value[]> {
  return { name: '', text, order: undefined }
}

/** PostgreSQL cuts longer names: two statements could get the same one. */
const MOST_NAME_BYTES = 63

/**
 * Replaces each `:name` by its number and type; leaves out parameters that the SQL does not use.
 * Throws for a name of more than 63 bytes and for a `:name` that is no parameter.
 */
export function compile<R extends Row = Row, V = NamedValues>(
  name: string,
  params: Params,
  sql: string,
): Statement<R, V> {
  if (Buffer.byteLength(name) > MOST_NAME_BYTES) throw new Error(`the name ${name} is too long`)
  const order: string[] = []
  const text = sql.replaceAll(/(?<![:\w]):([a-z]\w*)/g, (_, parameter: string) => {
    const type = params[parameter]
    if (type === undefined) throw new Error(`${name} has no parameter :${parameter}`)
    if (!order.includes(parameter)) order.push(parameter)
    return `$${order.indexOf(parameter) + 1}::${type.replace(/ \| null|\?/, '')}`
  })
  return { name, text, order }
}

/** The values of a statement in the order of its `$1`, `$2`, …; a missing one is null. */
export function bind({ order }: { readonly order: readonly string[] | undefined }, values: unknown): Value[] {
  if (order === undefined) return Array.isArray(values) ? [...values] : []
  const named: Record<string, Value | undefined> = Object(values)
  return order.map((name) => named[name] ?? null)
}
