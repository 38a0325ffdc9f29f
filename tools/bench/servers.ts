import { existsSync } from 'node:fs'
import { type Database, statement } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { findPostgresBinaries, startLocalPostgres } from '../local-servers/postgres.ts'
import { listTree } from '../local-servers/process-tree.ts'
import { findRabbitMqBinaries, startLocalRabbitMq } from '../local-servers/rabbitmq.ts'

/** The PostgreSQL server on which the databases are made. */
export interface PostgresServer {
  /** What it is, for the report. */
  readonly description: string
  readonly maxConnections: number
  /** CPU time of all its processes so far; undefined where they run out of sight. */
  readCpuMs(): number | undefined
  makeDatabase(name: string): Promise<{ readonly url: string; drop(): Promise<void> }>
  remove(): Promise<void>
}

/** As a small server of its own would be set up; everything that makes a commit safe is on. */
const SETTINGS = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  max_connections: '400',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  fsync: 'on',
  synchronous_commit: 'on',
}

/** Takes the server of BENCH_DATABASE_URL, else starts one from the installed binaries. Throws where there is neither. */
export async function openPostgresServer(): Promise<PostgresServer> {
  const { BENCH_DATABASE_URL: given } = process.env
  if (!given && findPostgresBinaries() === undefined) {
    throw new Error('BENCH_DATABASE_URL must name a PostgreSQL server, or PostgreSQL must be installed')
  }
  const local = given ? undefined : await startLocalPostgres({ settings: SETTINGS })
  const url = given || (local?.url ?? '')
  const admin = openAdmin(url)
  const { version, connections, buffers, backend } = await describe(admin)
  const remove = async () => {
    await admin.close()
    await local?.remove()
  }
  const description = `${version}, shared_buffers ${buffers}, max_connections ${connections}`
  return {
    description: local ? `${description}; ${settingsOf(SETTINGS)}` : `${description} (BENCH_DATABASE_URL)`,
    maxConnections: connections,
    readCpuMs: local ? () => local.readCpuMs() : findServerCpu(backend),
    makeDatabase: (name) => makeDatabase(admin, url, name),
    remove,
  }
}

/** One connection without a bound of its own, for what is done beside the measurement. */
export const openAdmin = (url: string): Database =>
  openPostgres({ url, poolSize: 1, statementTimeoutMs: 0, connectTimeoutMs: 10_000 })

const settingsOf = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

type ServerDescription = { version: string; connections: number; buffers: string; backend: number }

async function describe(admin: Database): Promise<ServerDescription> {
  const [row] = await admin.query(
    statement<ServerDescription>(
      '',
      `select split_part(version(), ' (', 1) as version, current_setting('max_connections')::integer as connections,
              current_setting('shared_buffers') as buffers, pg_backend_pid() as backend`,
    ),
  )
  if (row === undefined) throw new Error('PostgreSQL does not describe itself')
  return row
}

/** A process of this machine with that id is the server's only where it is a PostgreSQL process. */
function findServerCpu(backend: number): () => number | undefined {
  const postmaster = existsSync(`/proc/${backend}`) ? listTree(backend)[0]?.parent : undefined
  if (postmaster === undefined) return () => undefined
  return () => listTree(postmaster).reduce((sum, { cpuMs }) => sum + cpuMs, 0)
}

async function makeDatabase(admin: Database, serverUrl: string, prefix: string) {
  const name = `${prefix}_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  await admin.query(statement('', `create database ${name}`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const drop = async () => void (await admin.query(statement('', `drop database ${name} with (force)`)))
  return { url: url.href, drop }
}

/** RabbitMQ, where there is one. */
export interface QueueServer {
  readonly description: string
  /** Unset: none, and the service keeps its messages in the database. */
  readonly url: string | undefined
  readonly name: string
  remove(): Promise<void>
}

/** Takes the broker of BENCH_AMQP_URL, else starts one from the installed binaries, else does without. */
export async function openQueueServer(): Promise<QueueServer> {
  const name = `judge_bench_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  const { BENCH_AMQP_URL: given } = process.env
  if (given) {
    return {
      description: 'RabbitMQ (BENCH_AMQP_URL)',
      url: given,
      name,
      remove: async () => {},
    }
  }
  if (findRabbitMqBinaries() === undefined) {
    return {
      description: 'no RabbitMQ: messages wait in the database',
      url: undefined,
      name,
      remove: async () => {},
    }
  }
  const local = await startLocalRabbitMq()
  return { description: 'RabbitMQ of its own', url: local.url, name, remove: () => local.remove() }
}
