import { ask, openDatabase, uniqueName } from '../local-servers/database.ts'
import { findPostgresBinaries, startLocalPostgres } from '../local-servers/postgres.ts'
import { findRabbitMqBinaries, startLocalRabbitMq } from '../local-servers/rabbitmq.ts'

/** The PostgreSQL server of the benchmark. */
export type PostgresServer = Awaited<ReturnType<typeof openPostgresServer>>

/** The settings of a small dedicated server with durable commits. */
const SETTINGS = {
  ...{ shared_buffers: '1GB', effective_cache_size: '4GB', max_connections: '400', max_wal_size: '8GB' },
  ...{ checkpoint_timeout: '15min', random_page_cost: '1.1', fsync: 'on', synchronous_commit: 'on' },
}

/** Uses the server of BENCH_DATABASE_URL, or starts one. */
export async function openPostgresServer() {
  const { BENCH_DATABASE_URL: given } = process.env
  if (!given && findPostgresBinaries() === undefined) {
    throw new Error('BENCH_DATABASE_URL must name a PostgreSQL server, or PostgreSQL must be installed')
  }
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

/** RabbitMQ, if available: without a URL the messages stay in the database. */
export type QueueServer = Awaited<ReturnType<typeof openQueueServer>>

/** Uses the broker of BENCH_AMQP_URL, or starts one if it is installed. */
export async function openQueueServer() {
  const { BENCH_AMQP_URL: given } = process.env
  const nothing = { name: uniqueName('judge_bench'), remove: async () => {} }
  if (given) return { ...nothing, description: 'RabbitMQ (BENCH_AMQP_URL)', url: given }
  if (findRabbitMqBinaries() === undefined) {
    return { ...nothing, description: 'no RabbitMQ: messages stay in the database', url: undefined }
  }
  const { url, remove } = await startLocalRabbitMq()
  return { ...nothing, description: 'local RabbitMQ', url, remove }
}
