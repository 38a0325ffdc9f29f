import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { loadConfig } from '../../src/config/config.ts'
import { actorStatement } from '../../src/db/actor-statement.ts'
import { onePool, type Pools } from '../../src/db/pools.ts'
import { unprepared } from '../../src/db/statement.ts'
import { accountRoutes } from '../../src/features/people/accounts/routes.ts'
import { createUser, findAccount } from '../../src/features/people/accounts/sql.ts'
import { createBasicAuth } from '../../src/http/routing/basic-auth.ts'
import { createPasswords, type Passwords } from '../../src/http/routing/passwords.ts'
import { createRateLimiter } from '../../src/http/routing/rate-limit.ts'
import { registerRoutes } from '../../src/http/routing/register.ts'
import { found, ok } from '../../src/http/routing/responses.ts'
import { defineRoute } from '../../src/http/routing/route.ts'
import { readBodies } from '../../src/http/server/bodies.ts'
import { respondToErrors, sendError } from '../../src/http/server/failures.ts'
import { traceRequest } from '../../src/http/server/request-log.ts'
import { makeDependencies, PATIENT, SECRETS } from './app.ts'
import { closeLater } from './cleanup.ts'
import { openTestDatabase } from './database.ts'

const readCaller = actorStatement({
  name: 'read_caller_of_tests',
  columns: { body: 'text' },
  select: `select json_build_object('id', :actor, 'role', :actor_role)::text as body`,
})

/** Paths of the routes below. */
export const OPEN = '/v1/clics/tests/open'
export const HIDDEN = '/v1/clics/tests/hidden'
export const WRITE = '/v1/clics/tests'
export const ELSEWHERE = '/v1/tests'

/** Routes with the policies of the Contest API: their response is the caller. */
function ownRoutes() {
  const responses = { 200: Type.Object({}) }
  return [
    defineRoute('tests', 'GET /v1/clics/tests/:name', {
      responses,
      policy: 'user or Basic, or none if public',
      params: Type.Object({ name: Type.Enum(['open', 'hidden', 'broken']) }),
      handler: async ({ db, params }) => {
        const [caller] = await db.query(readCaller)
        if (params.name === 'broken') throw new Error('it is broken')
        return ok(found(params.name === 'open' && caller ? [caller] : [], 'test').body)
      },
    }),
    defineRoute('tests', `POST ${WRITE}`, {
      responses,
      policy: 'user or Basic',
      body: Type.Object({ text: Type.String() }),
      handler: async ({ db }) => ok(found(await db.query(readCaller), 'test').body),
    }),
    defineRoute('tests', `GET ${ELSEWHERE}`, {
      responses,
      policy: 'user',
      handler: async ({ db }) => ok(found(await db.query(readCaller), 'test').body),
    }),
  ]
}

const settings = {
  ...{ ...SECRETS, TRUSTED_PROXY: 'true' },
  ...{ RATE_LIMIT_ACCOUNTS: '1000000/1000000', RATE_LIMIT_FAILED_LOGINS: '1000000/1000000' },
  ...{ RATE_LIMIT_WRITES: '1000000/1000000' },
}

/** Opens the routes above and the login over an empty database, behind a proxy. */
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
  const apps: FastifyInstance[] = []
  closeLater(async () => {
    await Promise.all(apps.map((app) => app.close()))
    await deps.changes.stop()
    await close()
  })
  const open = async () => {
    const app = await openApp(deps)
    apps.push(app)
    return app
  }
  /** Creates an account; a null password means that it has none. */
  async function createAccount(email: string, password: string | null, isAdmin = false): Promise<string> {
    const id = uuidv7()
    const password_hash = password === null ? null : await passwords.hash(password)
    const account = { id, name: id, email, image: '', is_admin: isAdmin, password_hash }
    await database.query(createUser, account)
    return id
  }
  return {
    ...{ app: await open(), openBeside: open, database, databaseUrl, passwords },
    ...{ log: deps.log, tokens: deps.tokens, createAccount },
    async newAccount(password: string, isAdmin?: boolean) {
      const email = newEmail()
      return { email, id: await createAccount(email, password, isAdmin) }
    },
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

async function openApp(deps: Awaited<ReturnType<typeof makeDependencies>>): Promise<FastifyInstance> {
  const { config, pools, tokens, passwords } = deps
  const loggerInstance: FastifyBaseLogger = deps.logger.child({})
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop === 0,
    frameworkErrors: async (err, request, reply) => {
      traceRequest(request, reply, undefined)
      return sendError(err, request, reply)
    },
  })
  app.addHook('onRequest', async (request, reply) => traceRequest(request, reply, undefined))
  readBodies(app)
  respondToErrors(app)
  const { judgePassword, webBridge } = config.secrets
  registerRoutes(app, [...ownRoutes(), ...accountRoutes(deps)], {
    ...{ config, pools, tokens, rateLimiter: createRateLimiter() },
    identifyBasic: createBasicAuth(passwords, findAccount),
    secrets: { judgePassword, webBridge },
  })
  await app.ready()
  return app
}

/** The header of HTTP Basic. */
export const basic = (email: string, password: string, encoding: BufferEncoding = 'utf8') =>
  `Basic ${Buffer.from(`${email}:${password}`, encoding).toString('base64')}`

/** An e-mail that no account has. */
export const newEmail = () => `person-${randomUUID()}@example.org`

/** The response of `OPEN` to a caller. */
export const callerIs = (id: string, role = 0) => ({ status: 200, body: { id, role } })

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
