import { batchForm, type Coalescing, ONE_REQUEST } from './batch-form.ts'
import {
  compile,
  type NoParams,
  type Params,
  type Row,
  type RowType,
  type Statement,
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

export interface ActorStatementDefinition<R extends Row, P extends Params> {
  readonly name: string
  readonly params?: P
  readonly row?: RowType<R>
  /** Common table expressions. Those that write always run: they must check `ACTOR_EXISTS`. */
  readonly with?: string
  /** The query whose columns are the row. */
  readonly select: string
  /** Requests that arrive together share one run of the statement. */
  readonly coalesced?: Coalescing
}

/** Defines an actor statement. */
export function actorStatement<R extends Row = Row, P extends Params = NoParams>(
  definition: ActorStatementDefinition<R, P>,
): ActorStatement<R, Values<P>> {
  const { name, coalesced } = definition
  const params: Params = { ...definition.params, ...actorParams }
  if (coalesced === undefined || coalesced === 'reads') {
    const sql = readingSql(definition)
    const single = compile<R & { is_found: boolean | null }, Values<P>>(name, params, sql)
    return { ...single, batch: coalesced && batchForm(name, params, sql, coalesced), needsActor: true }
  }
  const sql = writingSql(definition)
  const single = compile<R & { is_found: boolean | null }, Values<P>>(
    name,
    params,
    `with ${ONE_REQUEST}${sql}`,
  )
  return { ...single, batch: batchForm(name, params, sql, coalesced), needsActor: true }
}

type Parts = Pick<ActorStatementDefinition<Row, Params>, 'with' | 'select'>

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
