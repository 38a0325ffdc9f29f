import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { onePool } from '../../src/db/pools.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { TIMEOUTS, type Timeouts } from '../../src/http/server/timeouts.ts'
import { findFreePorts } from '../../tools/local-servers/free-ports.ts'
import { makeDependencies, observeResponses, PATIENT, SECRETS } from './app.ts'
import { closeLater } from './cleanup.ts'

/** The path where tests add their own route; it is not in the OpenAPI document. */
export const TESTS_ROUTE = '/slow'

/** Opens the application over an unreachable database; it closes with the test or the file. */
export async function openBareApp(variables: Record<string, string> = {}, timeouts: Timeouts = TIMEOUTS) {
  const config = loadConfig({ ...SECRETS, ...variables })
  const [closedPort] = await findFreePorts(1)
  const url = `postgres://nobody@127.0.0.1:${closedPort}/none`
  const database = openPostgres({ url, poolSize: 1, statementTimeoutMs: 1000, connectTimeoutMs: 1000 })
  const deps = { ...(await makeDependencies(config, onePool(database, PATIENT))), timeouts }
  const app = await buildApp(deps)
  const violations = observeResponses(app, deps)
  closeLater(async () => {
    await app.close()
    await database.close()
    expect(violations.filter((violation) => !violation.includes(` ${TESTS_ROUTE} `))).toEqual([])
  })
  return { app, log: deps.log }
}

/** Opens the bare application and listens. */
export async function openListening(variables?: Record<string, string>, timeouts?: Timeouts) {
  const bare = await openBareApp(variables, timeouts)
  return { ...bare, port: await listen(bare.app) }
}

/** Listens on a free port of this machine; resolves to the port. */
export async function listen(app: FastifyInstance): Promise<number> {
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
}

/** The connections that clients hold open. */
export const countConnections = (app: FastifyInstance): Promise<number> =>
  promisify<number>((done) => app.server.getConnections(done))()
