import { batchForm, type Coalescing, ONE_REQUEST, withPlace } from './batch-form.ts'
import {
  type Columns,
  compile,
  type NoColumns,
  type NoParams,
  type Params,
  type Row,
  type RowOf,
  type RowShape,
  type Statement,
  shapesOf,
  type Values,
} from './statement.ts'

/**
 * A statement that runs for the user behind a request, `:actor`, and checks in the same round trip
 * that the account still exists and still has the role (specification, Authentication 3). No row:
 * it does not.
 * A row with `is_found` null: the statement itself found nothing.
 */
export interface ActorStatement<R extends Row = Row, V = unknown>
  extends Statement<R & { is_found: boolean | null }, V> {
  readonly needsActor: true
}

/** The parameters that every actor statement may use besides its own. */
const actorParams = {
  actor: 'uuid | null',
  actor_role: 'integer',
  actor_session: 'integer | null',
} as const

export type ActorValues = Values<typeof actorParams>

/**
 * Anonymous callers (no id) and judges have no account. An admin must still be one: the body of a
 * request may arrive minutes after its head. A token without a session version is not compared.
 */
export const ACTOR_EXISTS = `(
      :actor is null or :actor_role = 1 or exists (
        select from users
        where users.id = :actor and users.deleted_at is null
          and (:actor_role = 0 or users.is_admin)
          and (:actor_session is null or users.session_version = :actor_session)))`

export interface ActorStatementDefinition<C extends Columns, P extends Params> {
  readonly name: string
  readonly params?: P
  readonly columns?: C
  /** Common table expressions. Those that write always run: they must check `ACTOR_EXISTS`. */
  readonly with?: string | undefined
  /** The query whose columns are the row. */
  readonly select: string
  /** Requests that arrive together share one run of the statement. */
  readonly coalesced?: Coalescing
}

/** Defines an actor statement. */
export function actorStatement<const C extends Columns = NoColumns, P extends Params = NoParams>(
  definition: ActorStatementDefinition<C, P>,
): ActorStatement<RowOf<C>, Values<P>> {
  const { name, coalesced } = definition
  const isWrite = coalesced !== undefined && coalesced !== 'reads'
  const named = {
    name,
    params: { ...definition.params, ...actorParams },
    columns: foundColumns(definition.columns),
    sql: isWrite ? writingSql(definition) : readingSql(definition),
  }
  const single = isWrite
    ? { ...named, columns: withPlace(named.columns), sql: `with ${ONE_REQUEST}${named.sql}` }
    : named
  return {
    ...compile<RowOf<C> & { is_found: boolean | null }, Values<P>>(single),
    batch: coalesced && batchForm(named, coalesced),
    needsActor: true,
  }
}

/** A row without `is_found` has no columns. */
function foundColumns(columns: Columns | undefined): readonly RowShape[] | undefined {
  const shapes = shapesOf(columns, { is_found: 'boolean' })
  return shapes && [...shapes, { is_found: 'null' }]
}

type Parts = Pick<ActorStatementDefinition<Columns, Params>, 'with' | 'select'>

const readingSql = (parts: Parts) => `${parts.with === undefined ? '' : `with ${parts.with}`}
    select found.*
    from (select) as request
    left join (select true as is_found, result.* from (${parts.select}) as result) as found on true
    where ${ACTOR_EXISTS}`

/** What follows `with requests as (…)`. */
const writingSql = (parts: Parts) => `${parts.with === undefined ? '' : `, ${parts.with}`}
    select requests.place::integer as place, found.*
    from requests
    left join lateral (select true as is_found, result.* from (${parts.select}) as result) as found on true
    where ${ACTOR_EXISTS}`
