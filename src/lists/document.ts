import { type ActorStatement, actorStatement } from '../db/actor-statement.ts'
import { type NamedValues, type NoParams, type Params, row, type Values } from '../db/statement.ts'
import {
  type ListOwner,
  type ListRow,
  type ListStatement,
  type ListVersion,
  type StateStatement,
  stateOf,
  stateStatement,
} from './definition.ts'
import { defineRows, type RowsDefinition, type RowsForm } from './rows.ts'

/** A polled response that is one text instead of a list of items. */
export interface PolledDocument<V = never> {
  readonly name: string
  readonly statement: ListStatement
  readonly owner: ListOwner
  readonly version: StateStatement
  /** For a document of which rows are kept. */
  readonly rows: RowsForm | undefined
  /** Carries the type of the values; never set. */
  readonly values?: (values: V) => void
}

/** Defines a polled document; `body` is the SQL expression of its text. */
export function defineDocument<P extends Params = NoParams>(document: {
  readonly name: string
  readonly params?: P
  readonly body: string
  readonly owner: ListOwner
  readonly version: ListVersion
  /** The same text in rows. */
  readonly rows?: RowsDefinition
}): PolledDocument<Values<P>> {
  const { name, body, owner, version } = document
  const params: Params = { ...document.params }
  const statement: ActorStatement<ListRow, NamedValues> = actorStatement({
    name,
    params,
    row: row<ListRow>(),
    select: `
    select ${body} as body, null as next, state.version, state.audience
    from (${stateOf(version)}) as state
    where ${owner.exists}`,
  })
  const inRows = { name, params, state: stateOf(version), exists: owner.exists }
  return {
    ...{ name, statement, owner },
    version: stateStatement({ name, params, owner, version }),
    rows: document.rows && defineRows(inRows, document.rows),
  }
}
