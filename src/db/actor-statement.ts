import type { Row, Statement } from './database.ts'

/**
 * A statement that checks by itself that the account behind the request still lives (specification, Authentication 3),
 * so that no look-up goes before it. Values $1 to $3 are the actor (id, role, session version); its own begin at $4.
 * It answers no row at all when the account is gone, and rows with `answered` false when there is nothing to answer.
 */
export interface GuardedStatement<R extends Row = Row> extends Statement<R & { answered: boolean | null }> {
  readonly guarded: true
}

/** The first value of a guarded statement that is its own. */
export const FIRST_VALUE = 4

/**
 * Nobody (a null id, on routes without authentication) and judges have no account, and admins were looked up to learn whether
 * they still are: only role 0 is checked here. A token without a session version (null) is as good as the account.
 */
export const ACTOR_LIVES = `(
  $1::uuid is null or $2::integer > 0 or exists (
    select from users
    where users.id = $1::uuid and users.deleted_at is null and ($3::integer is null or users.session_version = $3::integer)
  )
)`

/**
 * Builds a guarded statement from a `select` whose columns are the row. `ctes` may write; then they themselves must
 * depend on `ACTOR_LIVES`, since PostgreSQL runs a writing CTE whatever the outer query asks for.
 */
export function guarded<R extends Row>(
  name: string,
  query: { readonly ctes?: string; readonly select: string },
): GuardedStatement<R> {
  const text = `
    ${query.ctes === undefined ? '' : `with ${query.ctes}`}
    select answer.*
    from (values (true)) as request (made)
    left join (select true as answered, found.* from (${query.select}) as found) as answer on true
    where ${ACTOR_LIVES}`
  return { name, text, guarded: true }
}
