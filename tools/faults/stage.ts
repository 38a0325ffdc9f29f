import { randomUUID } from 'node:crypto'
import { Connection } from 'rabbitmq-client'
import { type Database, statement } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import type { LocalPostgres } from '../local-servers/postgres.ts'
import type { LocalRabbitMq } from '../local-servers/rabbitmq.ts'
import { makeSecrets, type Secrets } from '../local-servers/secrets.ts'
import { ADMIN_EMAIL } from './contest.ts'

/** The servers that all scenarios share. */
export interface Servers {
  readonly postgres: LocalPostgres
  readonly rabbitMq: LocalRabbitMq
}

/** A database and a queue that one scenario has for itself. */
export interface Stage {
  readonly secrets: Secrets
  readonly queue: string
  /** What a service needs to know, but for its database. */
  readonly variables: Readonly<Record<string, string>>
  readonly databaseUrl: string
  readonly database: Database
  /** How many messages wait in the queue; undefined while it is not there. */
  countMessages(): Promise<number | undefined>
  close(): Promise<void>
}

/** Makes what the services of a scenario share. */
export async function openStage(
  { postgres, rabbitMq }: Servers,
  requeueAfterSeconds: number,
): Promise<Stage> {
  const queue = `faults_${randomUUID().replaceAll('-', '')}`
  const secrets = makeSecrets()
  const admin = openServer(postgres.url)
  await admin.query(statement('', `create database ${queue}`))
  await admin.close()
  const databaseUrl = postgres.url.replace(/[^/]*$/, queue)
  const database = openServer(databaseUrl)
  const connection = new Connection({
    url: rabbitMq.url,
    retryLow: 200,
    retryHigh: 1000,
    acquireTimeout: 2000,
  })
  connection.on('error', () => {})
  return {
    ...{ secrets, queue, databaseUrl, database },
    variables: {
      AMQP_URL: rabbitMq.url,
      AMQP_QUEUE: queue,
      JWT_SIGNING_SECRET: secrets.jwtSigning,
      JUDGE_PASSWORD: secrets.judgePassword,
      WEB_BRIDGE_SECRET: secrets.webBridge,
      ADMIN_EMAILS: ADMIN_EMAIL,
      RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
      REQUEUE_AFTER_SECONDS: String(requeueAfterSeconds),
    },
    countMessages: async () => {
      const found = await connection.queueDeclare({ queue, passive: true }).catch(() => undefined)
      return found?.messageCount
    },
    close: async () => {
      await connection.queueDelete({ queue }).catch(() => {})
      connection.unsafeDestroy()
      await database.close()
      const admin = openServer(postgres.url)
      await admin.query(statement('', `drop database ${queue} with (force)`))
      await admin.close()
    },
  }
}

/** Opens a database for the run's own questions. */
export function openServer(url: string): Database {
  return openPostgres({ url, poolSize: 2, statementTimeoutMs: 10_000, connectTimeoutMs: 2000 })
}
