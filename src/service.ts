import type { AddressInfo } from 'node:net'
import { defaultLanguagesFile, readLanguages } from '@judge-data-layer/languages'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { type Lanes, openLanes } from './db/lanes.ts'
import { migrate } from './db/migrate.ts'
import { createPasswords } from './features/accounts/passwords.ts'
import { fillLanguages } from './features/languages/seed.ts'
import { createTokens } from './http/auth.ts'
import { forgetOldAnswers } from './http/idempotency.ts'
import type { Broker } from './queue/broker.ts'
import { createInProcessBroker, type InProcessBroker } from './queue/in-process.ts'
import { connectRabbitMq } from './queue/rabbitmq.ts'
import { startRecovery } from './queue/recovery.ts'
import { startRelay } from './queue/relay.ts'
import { openPostgresSearch } from './search/postgres.ts'

/** How often what is out of date is cleared away. */
const UPKEEP_MS = 3_600_000

export interface Service {
  /** Where it listens, for example `http://127.0.0.1:5000`. */
  readonly url: string
  /** The queue for a worker in this process; undefined where RabbitMQ is configured (D30). */
  readonly localQueue: InProcessBroker | undefined
  /** Stops in order: accept nothing new, finish what runs, drain the relay, close queue and database. */
  stop(): Promise<void>
}

/** Starts the whole service on its configuration: database and migrations, queue and relay, HTTP. */
export async function startService(config: Config, logger: FastifyBaseLogger): Promise<Service> {
  const languages = await readLanguages(config.languagesFile ?? defaultLanguagesFile)
  const lanes = await openLanes({
    ...config.database,
    onError: (err) => logger.warn({ err }, 'a connection to the database was lost'),
  })
  try {
    await migrate(lanes.background)
    await fillLanguages(lanes.background, languages)
    return await serve(config, logger, lanes, languages)
  } catch (err) {
    await lanes.close()
    throw err
  }
}

async function serve(
  config: Config,
  logger: FastifyBaseLogger,
  lanes: Lanes,
  languages: Awaited<ReturnType<typeof readLanguages>>,
): Promise<Service> {
  const database = lanes.background
  const tokens = await createTokens({ secret: config.secrets.jwtSigning, ...config.tokens })
  const passwords = createPasswords()
  const search = config.searchBackend === 'postgres' ? await openPostgresSearch(database) : undefined
  const localQueue = config.queue.url === undefined ? createInProcessBroker() : undefined
  const broker = localQueue ?? connectBroker(config.queue, logger)
  const relay = startRelay({ database, broker, logger })
  const wakeRelay = () => relay.wake()
  const requeueAfterMs = config.queue.requeueAfterSeconds * 1000
  const recovery = startRecovery({ database, broker, logger, requeueAfterMs, wakeRelay })
  const stopQueue = async () => {
    await Promise.all([recovery.stop(), relay.stop()])
    await broker.close()
  }
  try {
    const app = await buildApp({ config, lanes, languages, logger, passwords, search, tokens, wakeRelay })
    await app.listen({ host: config.host, port: config.port })
    const upkeep = setInterval(() => {
      forgetOldAnswers(database).catch((err: unknown) =>
        logger.warn({ err }, 'old answers were not cleared away'),
      )
    }, UPKEEP_MS)
    const stop = async () => {
      clearInterval(upkeep)
      await app.close()
      await stopQueue()
      await lanes.close()
    }
    return { url: urlOf(config.host, app.server.address()), localQueue, stop }
  } catch (err) {
    await stopQueue()
    throw err
  }
}

function connectBroker(queue: Config['queue'], logger: FastifyBaseLogger): Broker {
  return connectRabbitMq({ url: queue.url ?? '', queue: queue.name, queueType: queue.type, logger })
}

function urlOf(host: string, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
