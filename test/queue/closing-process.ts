// A process that relays, stops and closes; it must then exit by itself.
import { setImmediate } from 'node:timers/promises'
import { openPostgres } from '../../src/db/postgres.ts'
import { connectRabbitMq } from '../../src/queue/rabbitmq.ts'
import { startRelay } from '../../src/queue/relay.ts'
import { keepLog, readRows } from '../support/queue.ts'

const [databaseUrl = '', amqpUrl = '', queue = '', until = ''] = process.argv.slice(2)
const timeouts = { statementTimeoutMs: 5000, connectTimeoutMs: 5000 }
const database = openPostgres({ url: databaseUrl, poolSize: 2, ...timeouts })
const logger = keepLog()
const broker = connectRabbitMq({ url: amqpUrl, queue, queueType: 'classic', logger })
const relay = startRelay({ database, broker, logger })
if (until === 'empty') while ((await readRows(database)).length > 0) await setImmediate()
else while (logger.lines.length === 0) await setImmediate()
await relay.stop()
await broker.close()
await database.close()
