/** A value as both drivers bind it. Instants travel as ISO 8601 text, JSON as text. */
export type Value = string | number | boolean | null | Buffer | readonly (string | number | boolean | null)[]

export type Row = Record<string, unknown>

/**
 * The JavaScript types of the values of PostgreSQL's types: as a statement gets them, and as its
 * rows have them.
 */
interface Scalars {
  text: [given: string, read: string]
  uuid: [given: string, read: string]
  timestamptz: [given: string, read: Date]
  json: [given: string, read: unknown]
  bigint: [given: string | number, read: string]
  integer: [given: number, read: number]
  float8: [given: number, read: number]
  boolean: [given: boolean, read: boolean]
  bytea: [given: Buffer, read: Buffer]
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
    ? readonly (Exclude<Scalars[Item][0], Buffer> | null)[]
    : T extends keyof Scalars
      ? Scalars[T][0]
      : never

type OptionalNames<P extends Params> = {
  [Name in keyof P]: P[Name] extends `${string}?` ? Name : never
}[keyof P]

/** The values of parameters, by name. */
export type Values<P extends Params> = {
  readonly [Name in Exclude<keyof P, OptionalNames<P>>]: ValueOf<P[Name]>
} & { readonly [Name in OptionalNames<P>]?: ValueOf<P[Name]> }

export type NoParams = Readonly<Record<never, never>>

/** A column whose values are of the type `T`, of which PostgreSQL knows less. */
export interface Narrowed<T> {
  readonly type: 'text' | 'json' | 'json | null'
  /** All values that the column may have. */
  readonly values?: readonly T[]
}

/** The type of a column; `null`: the column is null in each of these rows. */
export type ColumnType = Type | `${Type} | null` | 'null' | Narrowed<unknown>

/** The names and types of the columns of a row. */
export type RowShape = Readonly<Record<string, ColumnType>>

/** The columns of a statement. Several shapes: each row has one of them; nobody reads the rest. */
export type Columns = RowShape | readonly RowShape[]

export type NoColumns = Readonly<Record<never, never>>

type ReadValue<T> =
  T extends Narrowed<infer Value>
    ? Value
    : T extends 'null'
      ? null
      : T extends `${infer Read} | null`
        ? ReadValue<Read> | null
        : T extends `${infer Item extends keyof Scalars}[]`
          ? Scalars[Item][1][]
          : T extends keyof Scalars
            ? Scalars[T][1]
            : never

/** The rows of a statement with these columns. */
export type RowOf<C extends Columns> = C extends readonly RowShape[] ? RowOfShape<C[number]> : RowOfShape<C>

type RowOfShape<S> = S extends RowShape ? { -readonly [Name in keyof S]: ReadValue<S[Name]> } : never

/** The type of a column of texts that has only these values. */
export const oneOf = <const T extends string | null>(...values: readonly T[]): Narrowed<T> => ({
  type: 'text',
  values,
})

/** The type of a column of JSON with the type `T`, which the database does not check. */
export const json = <T>(): Narrowed<T> => ({ type: 'json' })

/** The same for a column that may be null. */
export const jsonOrNull = <T>(): Narrowed<T | null> => ({ type: 'json | null' })

/** The columns of a statement with a text `body` for one outcome, and none for the others. */
export const bodyIf = <const Done extends string, const Refusal extends string>(
  done: Done,
  ...refusals: readonly Refusal[]
) =>
  [
    { outcome: oneOf(done), body: 'text' },
    { outcome: oneOf(...refusals), body: 'null' },
  ] as const

const isList = (columns: Columns): columns is readonly RowShape[] => Array.isArray(columns)

/** The shapes of rows with the columns `more` besides; undefined if no columns are declared. */
export function shapesOf(columns: Columns | undefined, more: RowShape = {}): readonly RowShape[] | undefined {
  if (columns === undefined) return undefined
  return (isList(columns) ? columns : [columns]).map((shape) => ({ ...more, ...shape }))
}

/** One SQL statement. PostgreSQL keeps it prepared under `name`: one name stands for one text. */
export interface Statement<R extends Row = Row, V = NamedValues> {
  readonly name: string
  readonly text: string
  /** The names of the values for `$1`, `$2`, …; undefined: the values are given by position. */
  readonly order: readonly string[] | undefined
  /** The shapes of its rows; undefined: nobody reads their columns. */
  readonly columns?: readonly RowShape[] | undefined
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
  readonly columns: readonly RowShape[] | undefined
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

/**
 * Defines a statement; its SQL has each parameter as `:name`, and the parameter's type is added.
 * Throws for a `:name` that is no parameter, and for a parameter that the SQL does not use.
 */
export function statement<const C extends Columns = NoColumns, P extends Params = NoParams>(definition: {
  readonly name: string
  readonly params?: P
  readonly columns?: C
  readonly sql: string
}): Statement<RowOf<C>, Values<P>> {
  const { name, params = {}, columns, sql } = definition
  const compiled = compile<RowOf<C>, Values<P>>({ name, params, columns: shapesOf(columns), sql })
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

/** A statement with parameters by name. */
export interface NamedSql {
  readonly name: string
  readonly params: Params
  readonly columns: readonly RowShape[] | undefined
  readonly sql: string
}

/**
 * Replaces each `:name` by its number and type; leaves out parameters that the SQL does not use.
 * Throws for a name of more than 63 bytes and for a `:name` that is no parameter.
 */
export function compile<R extends Row = Row, V = NamedValues>(named: NamedSql): Statement<R, V> {
  const { name, params, columns, sql } = named
  if (Buffer.byteLength(name) > MOST_NAME_BYTES) throw new Error(`the name ${name} is too long`)
  const order: string[] = []
  const text = sql.replaceAll(/(?<![:\w]):([a-z]\w*)/g, (_, parameter: string) => {
    const type = params[parameter]
    if (type === undefined) throw new Error(`${name} has no parameter :${parameter}`)
    if (!order.includes(parameter)) order.push(parameter)
    return `$${order.indexOf(parameter) + 1}::${type.replace(/ \| null|\?/, '')}`
  })
  return { name, text, order, columns }
}

/** The values of a statement in the order of its `$1`, `$2`, …; a missing one is null. */
export function bind({ order }: { readonly order: readonly string[] | undefined }, values: unknown): Value[] {
  if (order === undefined) return Array.isArray(values) ? [...values] : []
  const named: Record<string, Value | undefined> = Object(values)
  return order.map((name) => named[name] ?? null)
}
