import { Connection, type ConnectionOptions } from 'rabbitmq-client'
import { createDatabase, uniqueName } from '../local-servers/database.ts'
import type { LocalPostgres } from '../local-servers/postgres.ts'
import type { LocalRabbitMq } from '../local-servers/rabbitmq.ts'
import { makeServerFolder } from '../local-servers/server-process.ts'
import { makeSecrets } from '../local-servers/service.ts'
import { LOAD_VARIABLES } from './world.ts'

export interface Servers {
  readonly postgres: LocalPostgres
  readonly rabbitMq: LocalRabbitMq
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/** Creates the database, the queue's name, and a folder for the service's temporary files. */
export async function openStage(servers: Servers, requeueAfterSeconds: number, usesRabbitMq = true) {
  const { postgres, rabbitMq } = servers
  const queue = uniqueName('faults')
  const secrets = makeSecrets()
  const { url: databaseUrl, database, drop } = await createDatabase(postgres.url, 'faults', 10_000)
  const { connection, countMessages } = watchQueue({ url: rabbitMq.url, acquireTimeout: 2000 }, queue)
  const folder = await makeServerFolder('faults-temporary')
  return {
    ...{ secrets, queue, databaseUrl, database, temporaryFolder: folder.path },
    /** Settings of the service and the worker; `DATABASE_URL` is apart. */
    variables: {
      ...secrets,
      ...(usesRabbitMq && { AMQP_URL: rabbitMq.url, AMQP_QUEUE: queue }),
      ...LOAD_VARIABLES,
      REQUEUE_AFTER_SECONDS: String(requeueAfterSeconds),
    },
    countMessages: async () => (usesRabbitMq ? countMessages() : 0),
    close: async () => {
      await connection.queueDelete({ queue }).catch(() => {})
      connection.unsafeDestroy()
      await drop()
      folder.remove()
    },
  }
}

/** Connects to RabbitMQ, also during a fault, to count the messages of a queue. */
export function watchQueue(options: ConnectionOptions, queue: string) {
  const connection = new Connection({ ...options, retryLow: 200, retryHigh: 1000 })
  connection.on('error', () => {})
  /** Undefined if the queue does not exist. */
  const countMessages = async () =>
    (await connection.queueDeclare({ queue, passive: true }).catch(() => undefined))?.messageCount
  return { connection, countMessages }
}
