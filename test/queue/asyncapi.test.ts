import { randomUUID } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { Parser } from '@asyncapi/parser'
import { type AsyncMessage, Connection, ConsumerStatus } from 'rabbitmq-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import { verdictStatuses } from '../../src/features/submissions/rules.ts'
import type { Broker, GradingMessage } from '../../src/queue/broker.ts'
import { createInProcessBroker } from '../../src/queue/in-process.ts'
import { claimMessages, endClaims } from '../../src/queue/outbox.ts'
import { connectRabbitMq, type RabbitMqOptions } from '../../src/queue/rabbitmq.ts'
import { startRelay } from '../../src/queue/relay.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyOutbox, keepLog, queueRows, readRows, WITHIN } from '../support/queue.ts'
import { openQueueContract, type QueueContract, queueDocumentFile } from './asyncapi.ts'

const KINDS = ['submission', 'input'] as const

let contract: QueueContract
let opened: TestDatabase
let db: Database
const endings: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  contract = await openQueueContract()
  opened = await openTestDatabase()
  db = opened.database
})
beforeEach(() => emptyOutbox(db))
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})
afterAll(() => opened.close())

function relay(broker: Broker): void {
  const started = startRelay({ database: db, broker, logger: keepLog(), pollMs: 50 })
  endings.push(() => started.stop())
}

describe('docs/asyncapi.yaml', () => {
  test('is valid AsyncAPI 3.1 without warnings', async () => {
    const { document, diagnostics } = await new Parser().parse(await readFile(queueDocumentFile, 'utf8'))
    expect(document?.version()).toBe('3.1.0')
    expect(diagnostics.map(({ code }) => code)).toEqual([])
  })

  test('has the default queue name', () => {
    const { queue } = loadConfig({ JWT_SIGNING_SECRET, JUDGE_PASSWORD, WEB_BRIDGE_SECRET })
    const { address, bindings } = contract.document.channels.gradingQueue
    expect([address, bindings.amqp.queue.name]).toEqual([queue.name, queue.name])
  })

  test.each(KINDS)('has valid examples of a message of type %s', (kind) => {
    const { examples } = contract.document.components.messages[kind]
    expect(examples.length).toBeGreaterThan(0)
    for (const { headers, payload } of examples) {
      expect(contract.headers(kind, headers)).toEqual([])
      expect(contract.payload(kind, payload)).toEqual([])
    }
  })

  test.each(KINDS)('requires exactly the fields and headers of a message of type %s', (kind) => {
    const id = randomUUID()
    const headers = { judging: 1, attempt: 1, enqueued_at: '2026-04-01T18:00:00Z' }
    expect(contract.payload(kind, { type: kind, id })).toEqual([])
    expect(contract.headers(kind, headers)).toEqual([])
    const payloads = [{ type: kind, id, more: 1 }, { id }, { type: kind }, { type: 'other', id }]
    const { judging, ...withoutJudging } = headers
    const { attempt, ...withoutAttempt } = headers
    const others = [{ ...headers, more: 1 }, withoutJudging, withoutAttempt, { judging, attempt }]
    for (const payload of payloads) expect(contract.payload(kind, payload)).toHaveLength(1)
    for (const other of others) expect(contract.headers(kind, other)).toHaveLength(1)
  })

  test.each(KINDS)('describes the payload of the queue in the process (%s, D30)', async (kind) => {
    const broker = createInProcessBroker()
    const handled: GradingMessage[] = []
    await broker.consume(1, async (message) => void handled.push(message))
    const [id] = await queueRows(db, 1, kind)
    relay(broker)
    await vi.waitFor(() => expect(handled).toHaveLength(1), WITHIN)
    expect(handled[0]?.id).toBe(id)
    expect(contract.payload(kind, handled[0])).toEqual([])
  })
})

describe('docs/writing-a-worker.md', () => {
  const file = new URL('../../docs/writing-a-worker.md', import.meta.url)

  test('describes every status (D23)', async () => {
    const rows = [...(await readFile(file, 'utf8')).matchAll(/^\| `([A-Z_]+)` +\| [^|]*\w/gm)]
    expect(rows.map(([, status]) => status).sort()).toEqual(verdictStatuses([]).sort())
  })

  test('links to existing files', async () => {
    const links = [...(await readFile(file, 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/g)]
    expect(links.length).toBeGreaterThan(0)
    for (const [, link] of links) await expect(access(new URL(link ?? '', file))).resolves.toBeUndefined()
  })
})

const amqpUrl = process.env.TEST_AMQP_URL

describe.runIf(amqpUrl)('messages from RabbitMQ match docs/asyncapi.yaml (TEST_AMQP_URL)', () => {
  const url = amqpUrl ?? ''
  let rabbit: Connection
  let queue: string

  beforeAll(() => {
    rabbit = new Connection({ url, acquireTimeout: 5000 })
    rabbit.on('error', () => {})
  })
  beforeEach(() => {
    queue = `test_${randomUUID()}`
    endings.push(() => rabbit.queueDelete(queue))
  })
  afterAll(() => rabbit.close())

  function startService(queueType: RabbitMqOptions['queueType'] = 'classic'): void {
    const broker = connectRabbitMq({ url, queue, queueType, logger: keepLog() })
    endings.push(() => broker.close())
    relay(broker)
  }

  /** Collects messages after the service has sent all; requeues the first `returned` deliveries. */
  async function consume({ returned = 0 } = {}): Promise<AsyncMessage[]> {
    await vi.waitFor(async () => expect(await readRows(db)).toEqual([]), WITHIN)
    const messages: AsyncMessage[] = []
    const consumer = rabbit.createConsumer({ queue, queueOptions: { passive: true } }, (message) => {
      messages.push(message)
      return messages.length <= returned ? ConsumerStatus.REQUEUE : ConsumerStatus.ACK
    })
    endings.push(() => consumer.close())
    return messages
  }

  test.each(KINDS)('in payload, headers and properties of a message of type %s (D29)', async (kind) => {
    const [id] = await queueRows(db, 1, kind)
    startService()
    const messages = await consume()
    await vi.waitFor(() => expect(messages).toHaveLength(1), WITHIN)
    const [message] = messages
    expect(message).toMatchObject({ body: { type: kind, id }, headers: { judging: 1, attempt: 1 } })
    expect(message && contract.delivery(kind, message)).toEqual([])
  })

  test('with the number of the judging, however often the relay claimed them', async () => {
    await queueRows(db, 1)
    await db.query(unprepared('update outbox set attempt = 2'))
    await endClaims(db, await claimMessages(db, 1, 60_000), () => 0)
    startService()
    const messages = await consume()
    await vi.waitFor(() => expect(messages).toHaveLength(1), WITHIN)
    expect(messages[0]?.headers).toMatchObject({ judging: 2, attempt: 2 })
    expect(messages.flatMap((message) => contract.delivery('submission', message))).toEqual([])
  })

  test('also if a quorum queue delivers again and adds a header', async () => {
    await queueRows(db, 1, 'input')
    startService('quorum')
    const messages = await consume({ returned: 1 })
    await vi.waitFor(() => expect(messages).toHaveLength(2), WITHIN)
    expect(messages.map(({ headers }) => headers?.['x-delivery-count'])).toEqual([undefined, 1])
    expect(messages.flatMap((message) => contract.delivery('input', message))).toEqual([])
  })

  test('in the properties of the queue', async () => {
    await queueRows(db, 1)
    startService()
    await consume()
    const { name, ...properties } = contract.document.channels.gradingQueue.bindings.amqp.queue
    // RabbitMQ refuses a different declaration.
    await expect(rabbit.queueDeclare({ queue, ...properties })).resolves.toMatchObject({ queue })
  })
})
