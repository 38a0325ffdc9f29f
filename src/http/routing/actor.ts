import type { ActorStatement, ActorValues } from '../../db/actor-statement.ts'
import { coalescedStatement } from '../../db/batch-form.ts'
import type { Queryable, Transactable, Transaction } from '../../db/database.ts'
import type { Arguments, NamedValues, Row, Statement } from '../../db/statement.ts'
import { AppError } from './errors.ts'
import type { Claims, Role } from './tokens.ts'

/**
 * The user who makes a request. A former admin has role 0 (D10); in a read, the role is the token's
 * until a statement has checked it.
 */
export interface Actor extends Claims {
  readonly role: Role
}

/** Runs work when its turn has come, as a limiter of `p-limit` does. */
export type RunInTurn = <T>(work: () => Promise<T>) => Promise<T>

/** The actor is no longer an admin: the request is handled again, as a user's (D10). */
export class NoLongerAdmin extends Error {}

/**
 * A handler's database: checks the account behind the token (specification, Authentication 3). An
 * actor statement checks it in the same round trip; before any other statement the account is
 * read, once per request. `confirm` checks it before a refusal without a statement (D2).
 */
export class ActorDatabase implements Queryable {
  readonly #database: Transactable
  readonly #quick: Queryable
  readonly #claims: Claims | undefined
  /** All databases of a request share it. */
  readonly #account: { isConfirmed: boolean }

  /** No claims: an anonymous route. Accounts and other small reads use the pool `quick`. */
  constructor(
    database: Transactable,
    claims?: Claims,
    quick: Queryable = database,
    account = { isConfirmed: claims === undefined || claims.role === 1 },
  ) {
    this.#database = database
    this.#quick = quick
    this.#claims = claims
    this.#account = account
  }

  /** The rows of a statement. Throws ACCOUNT_DELETED, TOKEN_EXPIRED and NoLongerAdmin. */
  query<R extends Row, V>(
    statement: Statement<R, V> | ActorStatement<R, V>,
    ...values: Arguments<V>
  ): Promise<R[]> {
    return this.#run(this.#database, statement, values)
  }

  /** Runs a small read in the quick pool. */
  queryQuickly<R extends Row, V>(
    statement: Statement<R, V> | ActorStatement<R, V>,
    ...values: Arguments<V>
  ): Promise<R[]> {
    return this.#run(this.#quick, statement, values)
  }

  async #run<R extends Row, V>(
    database: Queryable,
    asked: Statement<R, V> | ActorStatement<R, V>,
    values: Arguments<V>,
  ): Promise<R[]> {
    if (!('needsActor' in asked)) {
      await this.confirm()
      return database.query(asked, ...values)
    }
    const own: NamedValues = Object(values[0])
    const { name, text, order, columns, batch } = asked
    const named: Statement<R & { is_found: boolean | null }> = { name, text, order, columns, batch }
    const rows = await database.query(named, this.#withActor(own))
    const results = rows.filter((result) => result.is_found)
    // A statement that waited for a lock may have found that its admin was removed meanwhile.
    if (rows.length === 0 || (results.length === 0 && this.#claims?.role === 2)) await this.#confirmNow()
    this.#account.isConfirmed = true
    return results
  }

  /**
   * The values of a statement and of the actor, which no other value replaces. A spread of
   * both took 550 bytes for each request, until a full garbage collection.
   */
  #withActor(own: NamedValues): NamedValues & ActorValues {
    const { id, role, sessionVersion } = this.#claims ?? { id: null, role: 0, sessionVersion: null }
    return Object.assign({}, own, { actor: id, actor_role: role, actor_session: sessionVersion })
  }

  /** The same, but each statement waits for its turn first; small reads do not. */
  inTurn(run: RunInTurn): ActorDatabase {
    const database = this.#database
    const limited: Transactable = {
      query: (...asked) => run(() => database.query(...asked)),
      transaction: (work) => run(() => database.transaction(work)),
    }
    return new ActorDatabase(limited, this.#claims, this.#quick, this.#account)
  }

  /** Runs `work` in one transaction, after the account was checked. */
  async transaction<T>(work: (db: ActorDatabase) => Promise<T>): Promise<T> {
    await this.confirm()
    return this.#database.transaction((tx: Transaction) => {
      const own = {
        query: tx.query.bind(tx),
        transaction: <R>(inner: (tx: Transaction) => Promise<R>) => inner(tx),
      }
      return work(new ActorDatabase(own, this.#claims, own, this.#account))
    })
  }

  /** Checks, once a request, the account and its role. Throws as `query`. */
  async confirm(): Promise<void> {
    if (!this.#account.isConfirmed) await this.#confirmNow()
  }

  async #confirmNow(): Promise<void> {
    if (this.#claims !== undefined && this.#claims.role !== 1) {
      const account = await readExistingAccount(this.#quick, this.#claims)
      if (this.#claims.role === 2 && !account.is_admin) throw new NoLongerAdmin()
    }
    this.#account.isConfirmed = true
  }

  /**
   * Reads the account behind an admin's token; returns the actor with the present role. It may
   * change before the body has arrived, so statements check it again.
   */
  static async ofAdmin(
    database: Transactable,
    claims: Claims,
    quick: Queryable = database,
  ): Promise<{ actor: Actor; db: ActorDatabase }> {
    const account = await readExistingAccount(quick, claims)
    const actor: Actor = { ...claims, role: account.is_admin ? 2 : 0 }
    return { actor, db: new ActorDatabase(database, actor, quick) }
  }
}

export const readAccount = coalescedStatement({
  name: 'read_account',
  params: { user_id: 'uuid' },
  columns: { is_admin: 'boolean', session_version: 'integer' },
  sql: `select users.is_admin, users.session_version
        from users
        where users.id = :user_id and users.deleted_at is null`,
})

async function readExistingAccount(database: Queryable, { id, sessionVersion }: Claims) {
  const [account] = await database.query(readAccount, { user_id: id })
  if (account === undefined) throw new AppError('ACCOUNT_DELETED', 'User account no longer exists')
  if (sessionVersion !== null && sessionVersion !== account.session_version) {
    throw new AppError('TOKEN_EXPIRED', 'The token was issued before the password was changed; log in again')
  }
  return account
}
