import type { Database } from '../../src/db/database.ts'
import { createDatabase } from '../local-servers/database.ts'
import { findFreePorts } from '../local-servers/free-ports.ts'
import { deleteQueue } from '../local-servers/queue.ts'
import { makeSecrets } from '../local-servers/secrets.ts'
import { type LocalService, startLocalService } from '../local-servers/service.ts'
import { startChild } from './child.ts'
import { fill } from './fill.ts'
import type { GeneratorReply, GeneratorRequest } from './generator/process.ts'
import type { PostgresServer, QueueServer } from './servers.ts'
import { POOL_SIZE, type Size } from './sizes.ts'
import { createWorld, type World } from './world.ts'

/** The service as `npm start` runs it. */
export interface Service extends LocalService {
  readonly port: number
  readonly metricsPort: number
}

/** A filled database and the service on it. */
export interface Stage {
  readonly world: World
  readonly databaseUrl: string
  readonly database: Database
  readonly service: Service
  readonly postgres: PostgresServer
  readonly queue: QueueServer
  readonly fillSeconds: number
  remove(): Promise<void>
}

/** Creates and fills a database and starts the service. */
export async function openStage(
  size: Size,
  servers: { readonly postgres: PostgresServer; readonly queue: QueueServer },
  hasMetrics = false,
): Promise<Stage> {
  const { postgres } = servers
  const prefix = `judge_bench_${size.name.toLowerCase()}`
  const { url: databaseUrl, database, drop } = await createDatabase(postgres.url, prefix)
  try {
    const startedMs = performance.now()
    await fill(database, size)
    const fillSeconds = (performance.now() - startedMs) / 1000
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
    return { world, databaseUrl, database, service, postgres, queue, fillSeconds, remove }
  } catch (err) {
    await drop()
    throw err
  }
}

/** Apart from the rate limits these are production settings. */
async function startService(hasMetrics: boolean, variables: Record<string, string>): Promise<Service> {
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const service = await startLocalService({
    isBuilt: true,
    isLogIgnored: true,
    variables: {
      ...variables,
      NODE_ENV: 'production',
      PORT: String(port),
      ...(hasMetrics && { METRICS_PORT: String(metricsPort) }),
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      RATE_LIMIT_SUBMISSIONS: '100000000/100000000',
      RATE_LIMIT_ACCOUNTS: '100000000/100000000',
    },
  })
  return Object.assign(service, { port, metricsPort })
}

/** Starts the process of the load generator. */
export const startGenerator = () =>
  startChild<GeneratorRequest, GeneratorReply>(import.meta.resolve('./generator/process.ts'))

export type Generator = ReturnType<typeof startGenerator>
