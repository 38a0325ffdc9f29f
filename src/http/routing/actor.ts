import type { GuardedStatement } from '../../db/actor-statement.ts'
import {
  type Database,
  type Queryable,
  type Row,
  type Statement,
  statement,
  type Transaction,
  type Value,
} from '../../db/database.ts'
import { AppError } from './errors.ts'
import type { Claims, Role } from './tokens.ts'

/** Who makes a request. The role is the one that holds now: an admin who is no longer one acts with 0 (D10). */
export interface Actor extends Claims {
  readonly role: Role
}

const readAccount = statement<{ is_admin: boolean; session_version: number }>(
  'read_account',
  `select users.is_admin, users.session_version
   from users
   where users.id = $1 and users.deleted_at is null`,
)

type Transactable = Pick<Database, 'query' | 'transaction'>

/**
 * The database as an actor's handler may use it: whatever it asks, the account behind the token is known to live (specification,
 * Authentication 3). A guarded statement checks that on its way, any other waits for one primary-key look-up, and a refusal that
 * comes before either is held back by `confirm` (401 goes before everything else, D2).
 */
export class ActorDatabase {
  readonly #database: Transactable
  readonly #quick: Queryable
  readonly #claims: Claims | undefined
  #confirmed: boolean

  /**
   * Without claims it is nobody who asks: a route without authentication. Accounts, and what else is asked quickly, may be looked up on another way
   * to the database, so that this waits for nothing that takes long.
   */
  constructor(database: Transactable, claims?: Claims, quick: Queryable = database) {
    this.#database = database
    this.#quick = quick
    this.#claims = claims
    this.#confirmed = claims === undefined || claims.role === 1
  }

  /** Runs a guarded statement; answers its rows, none where there is nothing to answer. */
  ask<R extends Row>(guarded: GuardedStatement<R>, values: readonly Value[] = []): Promise<R[]> {
    return this.#askBy(this.#database, guarded, values)
  }

  /** The same for a mere look-up, which does not wait for what takes long. */
  askQuickly<R extends Row>(guarded: GuardedStatement<R>, values: readonly Value[] = []): Promise<R[]> {
    return this.#askBy(this.#quick, guarded, values)
  }

  async #askBy<R extends Row>(
    database: Queryable,
    guarded: GuardedStatement<R>,
    values: readonly Value[],
  ): Promise<R[]> {
    const { id, role, sessionVersion } = this.#claims ?? NOBODY
    const rows = await database.query(guarded, [id, role, sessionVersion, ...values])
    if (rows.length === 0) await this.#confirmNow()
    this.#confirmed = true
    return rows.filter((row) => row.answered)
  }

  /** Runs a statement after the account has been looked up. */
  async query<R extends Row>(plain: Statement<R>, values: readonly Value[] = []): Promise<R[]> {
    await this.confirm()
    return this.#database.query(plain, values)
  }

  /** Runs what `work` asks of the database that it is given in one transaction, after the account has been looked up. */
  async transact<T>(work: (db: ActorDatabase) => Promise<T>): Promise<T> {
    return this.transaction((tx) => {
      const same: Transactable = {
        query: (asked, values) => tx.query(asked, values),
        transaction: (inner) => inner(tx),
      }
      const within = new ActorDatabase(same, this.#claims)
      within.#confirmed = true
      return work(within)
    })
  }

  /** Runs a transaction after the account has been looked up. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await this.confirm()
    return this.#database.transaction(work)
  }

  /** Makes sure, once a request, that the account lives. Throws ACCOUNT_DELETED or TOKEN_EXPIRED. */
  async confirm(): Promise<void> {
    if (!this.#confirmed) await this.#confirmNow()
  }

  async #confirmNow(): Promise<void> {
    if (this.#claims !== undefined) await readLivingAccount(this.#quick, this.#claims)
    this.#confirmed = true
  }

  /** Looks up the account behind an admin's token: answers the actor with the role that holds now. */
  static async ofAdmin(
    database: Database,
    claims: Claims,
    quick: Queryable = database,
  ): Promise<{ actor: Actor; db: ActorDatabase }> {
    const account = await readLivingAccount(quick, claims)
    const actor: Actor = { ...claims, role: account.is_admin ? 2 : 0 }
    const db = new ActorDatabase(database, actor, quick)
    db.#confirmed = true
    return { actor, db }
  }
}

const NOBODY = { id: null, role: 0, sessionVersion: null }

async function readLivingAccount(database: Queryable, { id, sessionVersion }: Claims) {
  const [account] = await database.query(readAccount, [id])
  if (account === undefined) throw new AppError('ACCOUNT_DELETED', 'User account no longer exists')
  if (sessionVersion !== null && sessionVersion !== account.session_version) {
    throw new AppError('TOKEN_EXPIRED', 'The token was issued before the password was reset; log in again')
  }
  return account
}
