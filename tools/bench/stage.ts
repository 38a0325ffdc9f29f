import type { Database } from '../../src/db/database.ts'
import { createTokens } from '../../src/http/routing/tokens.ts'
import { ask, createDatabase, openDatabase, uniqueName } from '../local-servers/database.ts'
import { findFreePorts } from '../local-servers/free-ports.ts'
import { findPostgresBinaries, startLocalPostgres } from '../local-servers/postgres.ts'
import { deleteQueue, findRabbitMqBinaries, startLocalRabbitMq } from '../local-servers/rabbitmq.ts'
import { makeSecrets, type Secrets, startLocalService } from '../local-servers/service.ts'
import { startChild } from './child.ts'
import { fill } from './fill.ts'
import type { GeneratorReply, GeneratorRequest } from './generator/process.ts'
import { POOL_SIZE, type Size } from './sizes.ts'
import { userId } from './values.ts'

/** The settings of a small dedicated server with durable commits. */
const SETTINGS = {
  ...{ shared_buffers: '1GB', effective_cache_size: '4GB', max_connections: '400', max_wal_size: '8GB' },
  ...{ checkpoint_timeout: '15min', random_page_cost: '1.1', fsync: 'on', synchronous_commit: 'on' },
}

/** Uses the server of BENCH_DATABASE_URL, or starts one. */
export async function openPostgresServer() {
  const { BENCH_DATABASE_URL: given } = process.env
  if (!given && findPostgresBinaries() === undefined)
    throw new Error('BENCH_DATABASE_URL must name a PostgreSQL server, or PostgreSQL must be installed')
  const local = given ? undefined : await startLocalPostgres(SETTINGS)
  const url = given || (local?.url ?? '')
  const { version, connections, buffers } = await readServer(url)
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`)
  const description = `${version}, shared_buffers ${buffers}, max_connections ${connections}`
  return {
    url,
    description: `${description}; ${local ? settings.join(' ') : 'BENCH_DATABASE_URL'}`,
    maxConnections: connections,
    /** CPU time of all its processes; undefined for a remote server. */
    readCpuMs: () => local?.readCpuMs(),
    remove: async () => local?.remove(),
  }
}

async function readServer(url: string) {
  const server = openDatabase(url)
  const [row] = await ask<{ version: string; connections: number; buffers: string }>(
    server,
    `select split_part(version(), ' (', 1) as version, current_setting('max_connections')::integer as connections,
            current_setting('shared_buffers') as buffers`,
  ).finally(() => server.close())
  if (row === undefined) throw new Error('PostgreSQL returned no settings')
  return row
}

/** Uses the broker of BENCH_AMQP_URL, or starts one if it is installed. */
export async function openQueueServer() {
  const { BENCH_AMQP_URL: given } = process.env
  const nothing = { name: uniqueName('judge_bench'), remove: async () => {} }
  if (given) return { ...nothing, description: 'RabbitMQ (BENCH_AMQP_URL)', url: given }
  if (findRabbitMqBinaries() === undefined)
    return { ...nothing, description: 'no RabbitMQ: messages stay in the database', url: undefined }
  const { url, remove } = await startLocalRabbitMq()
  return { ...nothing, description: 'local RabbitMQ', url, remove }
}

/** Starts the process of the load generator. */
export const startGenerator = () =>
  startChild<GeneratorRequest, GeneratorReply>(import.meta.resolve('./generator/process.ts'))

/** What all stages share. */
export interface Servers {
  readonly postgres: Awaited<ReturnType<typeof openPostgresServer>>
  readonly queue: Awaited<ReturnType<typeof openQueueServer>>
  readonly generator: ReturnType<typeof startGenerator>
}

/** A filled database and the service on it, as `npm start` runs it. */
export type Stage = Awaited<ReturnType<typeof openStage>>

/** Creates and fills a database and starts the service. */
export async function openStage(size: Size, servers: Servers, hasMetrics = false) {
  const prefix = `judge_bench_${size.name.toLowerCase()}`
  const { url: databaseUrl, database, drop } = await createDatabase(servers.postgres.url, prefix)
  try {
    await fill(database, size)
    const secrets = makeSecrets()
    const world = await createWorld(database, size, secrets)
    const queue = { ...servers.queue, name: `${servers.queue.name}_${size.name}` }
    const service = await startService(hasMetrics, {
      ...secrets,
      DATABASE_URL: databaseUrl,
      ...(queue.url !== undefined && { AMQP_URL: queue.url, AMQP_QUEUE: queue.name }),
    })
    const remove = async () => {
      await service.stop()
      await drop()
      if (queue.url !== undefined) await deleteQueue(queue.url, queue.name)
    }
    return { ...servers, world, databaseUrl, database, service, queue, remove }
  } catch (err) {
    await drop()
    throw err
  }
}

/** Apart from the rate limits these are production settings. */
async function startService(hasMetrics: boolean, variables: Record<string, string>) {
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const service = await startLocalService({
    isLogIgnored: true,
    variables: {
      ...variables,
      NODE_ENV: 'production',
      PORT: String(port),
      ...(hasMetrics && { METRICS_PORT: String(metricsPort) }),
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      RATE_LIMIT_SUBMISSIONS: '100000000/100000000',
      RATE_LIMIT_RUNS: '100000000/100000000',
      RATE_LIMIT_WRITES: '100000000/100000000',
      RATE_LIMIT_ACCOUNTS: '100000000/100000000',
      LISTS_PER_ACCOUNT: '100000000',
    },
  })
  return Object.assign(service, { port, metricsPort })
}

export type World = Awaited<ReturnType<typeof createWorld>>

/** Signs tokens as the service does, so that no user has to log in. */
export async function createWorld(database: Database, size: Size, secrets: Secrets) {
  const { JWT_SIGNING_SECRET: secret, JUDGE_PASSWORD: judgePassword } = secrets
  const lifetimes = { userTtlSeconds: 86_400, judgeTtlSeconds: 86_400 }
  const tokens = await createTokens({ secret, judgePassword, ...lifetimes })
  const sql = `select languages.id::text from languages where languages.name = 'Python' limit 1`
  const [language] = await ask<{ id: string }>(database, sql)
  if (language === undefined) throw new Error('The database has no language Python')
  const known = new Map<number, Promise<string>>()
  const issueToken = (user: number) =>
    tokens.issueUserToken({ id: userId(user), isAdmin: user === size.users, sessionVersion: 1 })
  return {
    size,
    languageId: language.id,
    judgeToken: await tokens.issueJudgeToken(),
    tokenOf(user: number): Promise<string> {
      const token = known.get(user) ?? issueToken(user)
      known.set(user, token)
      return token
    },
  }
}
