import { databaseKind } from './database.ts'

const need = (what: string, isMet: boolean) => ({ skip: !isMet, meta: { reason: `they need ${what}` } })

const hasRabbitMq = Boolean(process.env.TEST_AMQP_URL)

/**
 * Options of a test, or of a group of tests, that needs a server. Without the server it is skipped,
 * and the run says why. `TEST_REQUIRE_ALL` requires the servers.
 */
export const onPostgres = need('PostgreSQL (TEST_DATABASE_URL)', databaseKind === 'postgres')
export const onRabbitMq = need('RabbitMQ (TEST_AMQP_URL)', hasRabbitMq)
export const onBoth = need(
  'PostgreSQL and RabbitMQ (TEST_DATABASE_URL, TEST_AMQP_URL)',
  databaseKind === 'postgres' && hasRabbitMq,
)
