import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { onePool, type Pools } from '../../src/db/pools.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createUser } from '../../src/features/accounts/sql.ts'
import { createPasswords, type Passwords } from '../../src/http/routing/passwords.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, makeDependencies, PATIENT, WEB_BRIDGE_SECRET } from './app.ts'
import { closeLater } from './cleanup.ts'
import { openTestDatabase } from './database.ts'

/** Reads the caller's account. */
export const OPEN = '/v1/clics/contests/1/account'
/** Exists for no one. */
export const HIDDEN = '/v1/clics/webhooks/00000000-0000-7000-8000-000000000000'

const createContest = unprepared(
  `with owner as (
     insert into users (id, name, email) values (gen_random_uuid(), 'Owner', 'owner@example.org') returning id
   )
   insert into events (title, description, teams, languages, user_id, start_time, end_time)
   select 'A contest', '', false, '[]', owner.id, now(), now() + interval '1 hour' from owner`,
)

const settings = {
  ...{ JWT_SIGNING_SECRET, JUDGE_PASSWORD, WEB_BRIDGE_SECRET, TRUSTED_PROXY: 'true' },
  ...{ RATE_LIMIT_ACCOUNTS: '1000000/1000000', RATE_LIMIT_FAILED_LOGINS: '1000000/1000000' },
}

/** Opens the application behind a proxy, over a database with one contest. */
export async function openContestApiRoutes(
  variables: Record<string, string> = {},
  {
    timeoutMs = PATIENT,
    // For a loaded machine.
    passwords = createPasswords({ waiting: 1000, waitMs: 60_000 }),
  }: { timeoutMs?: Pools['timeoutMs']; passwords?: Passwords } = {},
) {
  const { database, url: databaseUrl, close } = await openTestDatabase()
  const config = loadConfig({ ...settings, ...variables })
  const deps = { ...(await makeDependencies(config, onePool(database, timeoutMs))), passwords }
  await database.query(createContest)
  const apps: FastifyInstance[] = []
  closeLater(async () => {
    await Promise.all(apps.map((app) => app.close()))
    await deps.changes.stop()
    await close()
  })
  const open = async () => {
    const app = await buildApp(deps)
    apps.push(app)
    return app
  }
  return {
    ...{ app: await open(), openBeside: open, database, databaseUrl, passwords },
    ...{ log: deps.log, tokens: deps.tokens },
    /** Creates an account; a null password means that it has none. */
    async createAccount(email: string, password: string | null, isAdmin = false): Promise<string> {
      const id = uuidv7()
      const password_hash = password === null ? null : await passwords.hash(password)
      const account = { id, name: id, email, image: '', is_admin: isAdmin, password_hash }
      await database.query(createUser, account)
      return id
    },
    /** Changes a row of `users`. */
    change: (id: string, change: string) =>
      database.query(unprepared(`update users set ${change} where id = $1::uuid`), [id]),
    /** Sets a password as the routes for it do. */
    async setPassword(id: string, password: string): Promise<void> {
      const change = 'password_hash = $2, session_version = session_version + 1'
      const values = [id, await passwords.hash(password)]
      await database.query(unprepared(`update users set ${change} where id = $1::uuid`), values)
    },
  }
}

/** The header of HTTP Basic. */
export const basic = (email: string, password: string, encoding: BufferEncoding = 'utf8') =>
  `Basic ${Buffer.from(`${email}:${password}`, encoding).toString('base64')}`

/** An e-mail that no account has. */
export const newEmail = () => `person-${randomUUID()}@example.org`

/** The response of `OPEN` to a caller. */
export const callerIs = (id: string, type = 'other') => ({ status: 200, body: { id, type } })

/** Reads a route with this Authorization header, from an address behind the proxy. */
export async function ask(
  app: FastifyInstance,
  authorization: string | undefined,
  { url = OPEN, address = '192.0.2.1' } = {},
) {
  const headers = { 'x-forwarded-for': address, ...(authorization !== undefined && { authorization }) }
  const { statusCode, headers: sent, payload } = await app.inject({ url, headers })
  return { status: statusCode, headers: sent, body: JSON.parse(payload) }
}
