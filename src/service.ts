import { defaultLanguagesFile, LanguagesError, readNamedLanguages } from '@judge-data-layer/languages'
import { readPages } from '@judge-data-layer/pages'
import { type PrivateServer, servePrivately, urlOf } from '@judge-data-layer/runtime/private-server'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { ChangeLog } from './changes/change-log.ts'
import { forgetOldChanges } from './changes/upkeep.ts'
import type { Config } from './config/config.ts'
import { StartError } from './config/start-error.ts'
import type { Database } from './db/database.ts'
import { migrate, searchMigrations } from './db/migrate.ts'
import { openPools, type Pools } from './db/pools.ts'
import { vacuumTables } from './db/vacuum.ts'
import { waitForDatabase } from './db/wait-for-database.ts'
import { startRejudging } from './features/judging/immediate-rejudging/continue.ts'
import { createJudgeReport } from './features/judging/judges/failed-judge.ts'
import { deleteOldJudges, disconnectSilentJudges } from './features/judging/judges/sql.ts'
import { fillLanguages } from './features/judging/languages/seed.ts'
import { forgetOldRuns } from './features/judging/runs/upkeep.ts'
import { verdictStatuses } from './features/judging/submissions/rules.ts'
import { settleVerifications } from './features/judging/verifications/settle.ts'
import { createNotificationReader } from './features/live/webhooks/notification-reader.ts'
import { Webhooks } from './features/live/webhooks/start.ts'
import { createResetDelivery } from './features/people/accounts/reset-delivery.ts'
import { deleteUnknownResets } from './features/people/accounts/sql.ts'
import { forgetOldResponses } from './http/routing/idempotency.ts'
import { createPasswords } from './http/routing/passwords.ts'
import { createTokens } from './http/routing/tokens.ts'
import { ListCache } from './lists/cache.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { PackageProcesses } from './package-process/package-processes.ts'
import { createLocalBroker, type LocalBroker } from './queue/local-broker.ts'
import { RabbitMqBroker } from './queue/rabbitmq.ts'
import { startRecovery } from './queue/recovery.ts'
import { Relay } from './queue/relay.ts'

const UPKEEP_INTERVAL_MS = 3_600_000
const SETTLE_INTERVAL_MS = 60_000
const JUDGES_INTERVAL_MS = 15_000
const JUDGES_FIRST_MS = 60_000

export interface Service {
  /** For example `http://127.0.0.1:5000`. */
  readonly url: string
  /** Undefined without a metrics port. */
  readonly metricsUrl: string | undefined
  /** The queue for a worker on this machine; undefined with RabbitMQ (D30, P27). */
  readonly localQueue: LocalBroker | undefined
  /** Stores why a worker has ended, for admins. Never rejects. */
  reportFailedJudge(name: string, failure: string): Promise<void>
  /** Refuses new requests, finishes running ones, drains the relay, closes queue and database. */
  stop(): Promise<void>
}

/**
 * Starts the service: database and migrations, queue and relay, HTTP. Throws `StartError` for a
 * setting that does not fit the machine, such as a port in use.
 */
export async function startService(config: Config, logger: FastifyBaseLogger): Promise<Service> {
  const languages = await readNamedLanguages(config.languagesFile ?? defaultLanguagesFile).catch(
    nameLanguagesFile,
  )
  const pools = await openPools({
    ...config.database,
    onError: (err) => logger.warn({ err }, 'a connection to the database was lost'),
  })
  try {
    const { waitSeconds } = config.database
    await waitForDatabase(pools.background, waitSeconds, (reason) =>
      logger.warn({ reason }, `waiting up to ${waitSeconds} s for the database`),
    )
    await migrate(pools.background, undefined, (text) => logger.warn(text))
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
  languages: Awaited<ReturnType<typeof readNamedLanguages>>,
): Promise<Service> {
  const database = pools.background
  const tokens = await createTokens({
    secret: config.secrets.jwtSigning,
    judgePassword: config.secrets.judgePassword,
    ...config.tokens,
  })
  const passwords = createPasswords()
  const metrics =
    config.metricsPort === undefined ? undefined : createMetrics(pools, verdictStatuses(config.extraStatuses))
  const { passwordResetProgram: program } = config.accounts
  const delivery = program && createResetDelivery({ program, logger })
  const deliverReset = delivery?.deliver
  const changes = new ChangeLog({ database: pools.quick, config, logger })
  const queue = startQueue(config, logger, database, metrics)
  const { wakeRelay, localQueue } = queue
  let metricsServer: PrivateServer | undefined
  let webhooks: Webhooks | undefined
  try {
    const { host, port, metricsPort = 0 } = config
    // Without authentication: the port must be private.
    const startMetrics = metrics && servePrivately({ '/metrics': metrics.describe }, host, metricsPort)
    metricsServer = await startMetrics?.catch(nameAddress('METRICS_PORT', host, metricsPort))
    const listCache = new ListCache()
    const readNotifications = createNotificationReader({ changes, config, database, cache: listCache })
    webhooks = new Webhooks({ changes, config, database, logger, readNotifications })
    const wakeWebhooks = () => webhooks?.wake()
    const pages = await readPages()
    const packageProcesses = new PackageProcesses({ limits: config.packages })
    const shared = {
      changes,
      config,
      pools,
      languages,
      logger,
      metrics,
      pages,
      passwords,
      tokens,
      packageProcesses,
    }
    const app = await buildApp({ ...shared, deliverReset, listCache, wakeRelay, wakeWebhooks })
    await listen(app, host, port).catch(nameAddress('PORT', host, port))
    const stopUpkeep = startUpkeep(config, database, logger)
    const stop = async () => {
      stopUpkeep()
      await app.close()
      await packageProcesses.close()
      await Promise.all([queue.stop(), webhooks?.stop(), delivery?.stop()])
      await changes.stop()
      await metricsServer?.close()
      await pools.close()
    }
    const metricsUrl = metricsServer && `${metricsServer.url}/metrics`
    const reportFailedJudge = createJudgeReport(database, logger)
    return { url: urlOf(app.server, config.host), metricsUrl, localQueue, reportFailedJudge, stop }
  } catch (err) {
    await Promise.all([queue.stop(), webhooks?.stop()])
    await changes.stop()
    await metricsServer?.close()
    throw err
  }
}

/**
 * Connections that wait until they are accepted; the system's limit may be lower. With Node's 511,
 * people who all connect at the start of a contest wait for repeated SYN segments, for seconds.
 */
const BACKLOG = 16_384

/** Listens without Fastify's own lines in the log, one for each address. */
async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  const { level } = app.log
  app.log.level = 'silent'
  await app.listen({ host, port, backlog: BACKLOG }).finally(() => {
    app.log.level = level
  })
}

function nameLanguagesFile(err: unknown): never {
  throw err instanceof LanguagesError ? new StartError('JUDGE_LANGUAGES_FILE', err.message, err) : err
}

const ADDRESS_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another process',
  EACCES: 'needs privileges that this process does not have',
  EADDRNOTAVAIL: 'is not an address of this machine',
}

/** Names the variable, or HOST where the address is wrong. */
function nameAddress(variable: string, host: string, port: number): (err: NodeJS.ErrnoException) => never {
  return (err) => {
    const { code = '', message } = err
    const name = code === 'EADDRINUSE' || code === 'EACCES' ? variable : 'HOST'
    throw new StartError(
      name,
      `${host}:${port} ${ADDRESS_FAULTS[code] ?? `cannot be used (${message})`}`,
      err,
    )
  }
}

/** The broker, the relay that publishes messages, the recovery of lost ones, and rejudgings. */
function startQueue(
  config: Config,
  logger: FastifyBaseLogger,
  database: Database,
  metrics: Metrics | undefined,
) {
  const { url, name, type, requeueAfterSeconds } = config.queue
  const localQueue = url === undefined ? createLocalBroker() : undefined
  const broker = localQueue ?? new RabbitMqBroker({ url: url ?? '', queue: name, queueType: type, logger })
  const { queuedMax: queuedRunsMax } = config.runs
  const onFailure = metrics?.countRelayFailure
  const relay = new Relay({ database, broker, logger, onFailure, queuedRunsMax })
  const wakeRelay = () => relay.wake()
  const requeueAfterMs = requeueAfterSeconds * 1000
  const recovery = startRecovery({ database, broker, logger, requeueAfterMs, wakeRelay })
  const rejudging = startRejudging({ database, logger, wakeRelay })
  const stop = async () => {
    await Promise.all([recovery.stop(), rejudging.stop(), relay.stop()])
    await broker.close()
  }
  return { localQueue, wakeRelay, stop }
}

/**
 * Deletes old rows, vacuums an embedded database and ends verifications, until the returned
 * function is called. Those that a killed process left open are ended at once.
 */
function startUpkeep(config: Config, database: Database, logger: FastifyBaseLogger): () => void {
  const works: Readonly<Record<string, () => Promise<unknown>>> = {
    'old idempotency keys were not deleted': () => forgetOldResponses(database),
    'old reset requests were not deleted': () => database.query(deleteUnknownResets),
    'old changes were not deleted': () => forgetOldChanges(database, config.changeRetentionHours),
    'old judge workers were not deleted': () => database.query(deleteOldJudges),
    'old runs were not deleted': () => forgetOldRuns(database, config.runs.retentionHours),
    ...(config.database.databaseUrl === undefined && {
      'the embedded database was not vacuumed': () => vacuumTables(database),
    }),
  }
  const run = (failure: string, work: () => Promise<unknown>) =>
    work().catch((err: unknown) => logger.warn({ err }, failure))
  const endVerifications = () => run('verifications were not ended', () => settleVerifications(database))
  const startedMs = performance.now()
  const disconnectJudges = () => {
    // While the service was down, no worker could register.
    if (performance.now() - startedMs > JUDGES_FIRST_MS)
      run('silent judge workers were not marked', () => database.query(disconnectSilentJudges))
  }
  const timers = [
    setInterval(() => {
      for (const [failure, work] of Object.entries(works)) run(failure, work)
    }, UPKEEP_INTERVAL_MS),
    setInterval(endVerifications, SETTLE_INTERVAL_MS),
    setInterval(disconnectJudges, JUDGES_INTERVAL_MS),
  ]
  void endVerifications()
  return () => timers.forEach(clearInterval)
}
