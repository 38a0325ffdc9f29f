// A process to be killed: its handler prints each id and never finishes.
import { openPostgres } from '../../src/db/postgres.ts'
import { createLocalBroker } from '../../src/queue/local-broker.ts'
import { startRelay } from '../../src/queue/relay.ts'
import { keepLog } from '../support/queue.ts'

const [url = '', leaseMs = ''] = process.argv.slice(2)
const database = openPostgres({ url, poolSize: 2, statementTimeoutMs: 5000, connectTimeoutMs: 5000 })
const broker = createLocalBroker()
startRelay({ database, broker, logger: keepLog(), leaseMs: Number(leaseMs) })
await broker.consume(10, ({ id }) => {
  console.log(id)
  return new Promise(() => {})
})
