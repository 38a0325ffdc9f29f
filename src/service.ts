import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import { migrate, searchMigrations } from './db/migrate.ts'
import { openPools, type Pools } from './db/pools.ts'
import { fillLanguages } from './features/languages/seed.ts'
import { verdictStatuses } from './features/submissions/rules.ts'
import { forgetOldResponses } from './http/routing/idempotency.ts'
import { createPasswords } from './http/routing/passwords.ts'
import { createTokens } from './http/routing/tokens.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { type MetricsServer, serveMetrics, urlOf } from './metrics/server.ts'
import { createInProcessBroker, type InProcessBroker } from './queue/in-process.ts'
import { connectRabbitMq } from './queue/rabbitmq.ts'
import { startRecovery } from './queue/recovery.ts'
import { startRelay } from './queue/relay.ts'

const UPKEEP_INTERVAL_MS = 3_600_000

export interface Service {
  /** For example `http://127.0.0.1:5000`. */
  readonly url: string
  /** Undefined without a metrics port. */
  readonly metricsUrl: string | undefined
  /** The queue for a worker in this process; undefined with RabbitMQ (D30). */
  readonly localQueue: InProcessBroker | undefined
  /** Refuses new requests, finishes running ones, drains the relay, closes queue and database. */
  stop(): Promise<void>
}

/** Starts the service: database and migrations, queue and relay, HTTP. */
export async function startService(config: Config, logger: FastifyBaseLogger): Promise<Service> {
  const languages = await readLanguages(config.languagesFile ?? defaultLanguagesFile)
  const pools = await openPools({
    ...config.database,
    onError: (err) => logger.warn({ err }, 'a connection to the database was lost'),
  })
  try {
    await migrate(pools.background)
    if (config.searchBackend === 'postgres') await migrate(pools.background, searchMigrations)
    await fillLanguages(pools.background, languages)
    return await serve(config, logger, pools, languages)
  } catch (err) {
    await pools.close()
    throw err
  }
}

async function serve(
  config: Config,
  logger: FastifyBaseLogger,
  pools: Pools,
  languages: Awaited<ReturnType<typeof readLanguages>>,
): Promise<Service> {
  const database = pools.background
  const tokens = await createTokens({ secret: config.secrets.jwtSigning, ...config.tokens })
  const passwords = createPasswords()
  const metrics =
    config.metricsPort === undefined ? undefined : createMetrics(pools, verdictStatuses(config.extraStatuses))
  const queue = startQueue(config, logger, database, metrics)
  const { wakeRelay, localQueue } = queue
  let metricsServer: MetricsServer | undefined
  try {
    metricsServer = metrics && (await serveMetrics(metrics, config.host, config.metricsPort ?? 0))
    const app = await buildApp({ config, pools, languages, logger, metrics, passwords, tokens, wakeRelay })
    await app.listen({ host: config.host, port: config.port })
    const stopUpkeep = startUpkeep(database, logger)
    const stop = async () => {
      stopUpkeep()
      await app.close()
      await queue.stop()
      await metricsServer?.close()
      await pools.close()
    }
    return { url: urlOf(app.server, config.host), metricsUrl: metricsServer?.url, localQueue, stop }
  } catch (err) {
    await queue.stop()
    await metricsServer?.close()
    throw err
  }
}

/** The broker, the relay that publishes messages, and the recovery of lost ones. */
function startQueue(
  config: Config,
  logger: FastifyBaseLogger,
  database: Database,
  metrics: Metrics | undefined,
) {
  const { url, name, type, requeueAfterSeconds } = config.queue
  const localQueue = url === undefined ? createInProcessBroker() : undefined
  const broker = localQueue ?? connectRabbitMq({ url: url ?? '', queue: name, queueType: type, logger })
  const relay = startRelay({ database, broker, logger, onFailure: metrics?.countRelayFailure })
  const wakeRelay = () => relay.wake()
  const requeueAfterMs = requeueAfterSeconds * 1000
  const recovery = startRecovery({ database, broker, logger, requeueAfterMs, wakeRelay })
  const stop = async () => {
    await Promise.all([recovery.stop(), relay.stop()])
    await broker.close()
  }
  return { localQueue, wakeRelay, stop }
}

/** Deletes old rows until the returned function is called. */
function startUpkeep(database: Database, logger: FastifyBaseLogger): () => void {
  const timer = setInterval(() => {
    forgetOldResponses(database).catch((err: unknown) =>
      logger.warn({ err }, 'old idempotency keys were not deleted'),
    )
  }, UPKEEP_INTERVAL_MS)
  return () => clearInterval(timer)
}
