import { setTimeout as sleep } from 'node:timers/promises'
import { connectionOptions } from '@judge-data-layer/runtime/rabbitmq-hosts'
import { LRUCache } from 'lru-cache'
import { AMQPChannelError, type AsyncMessage, Connection, ConsumerStatus } from 'rabbitmq-client'
import { WorkerTooOldError } from '../service/service-error.ts'
import { trackCalls } from '../shared/track-calls.ts'
import { tryOr } from '../shared/try-or.ts'
import { type MessageHandler, type MessageSource, readMessage, type Subscription } from './message-source.ts'
import { checkServer, type RabbitmqOptions, watchStart } from './rabbitmq-start.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
const CLOSE_PATIENCE_MS = 5000
/** A message comes back to this worker at most once in this time, unless others work faster. */
const POSTPONED_MS = 10_000
const REMEMBERED = 10_000

/**
 * Messages from RabbitMQ. The source acknowledges handled messages. A message whose handler fails
 * goes back to the queue after a pause, which grows with each failure in a row. A message for a
 * newer worker goes to the end of the queue. `consume` throws `StartError` if RabbitMQ or the queue
 * cannot be used; later it reconnects.
 */
export function createRabbitmqSource(options: RabbitmqOptions): MessageSource {
  return { consume: (concurrency, handler) => consume(options, concurrency, handler) }
}

async function consume(
  options: RabbitmqOptions,
  concurrency: number,
  handler: MessageHandler,
): Promise<Subscription> {
  const { queue, logger } = options
  const startMs = await checkServer(options)
  const connection = connect(options)
  const start = watchStart(options, startMs)
  const stopping = new AbortController()
  const tracked = trackCalls(handler)
  const postponer = createPostponer(connection, queue, stopping.signal)
  const handle = createDelivery(options, tracked.handler, postponer, stopping.signal)
  // Passive: other programs may have declared the queue with other arguments.
  const consumer = connection.createConsumer(
    { queue, queueOptions: { passive: true }, concurrency, qos: { prefetchCount: concurrency }, lazy: true },
    handle,
  )
  const ensureQueue = async () => {
    await declareQueue(connection, options).catch((err: unknown) => start.reportQueue(err))
    // Also after a failure: another program may have declared the queue.
    if (!stopping.signal.aborted) consumer.start()
  }
  connection.on('connection', ensureQueue)
  connection.on('error', (err) => {
    isReady = false
    start.reportConnection(err)
  })
  let isReady = false
  consumer.on('ready', () => {
    isReady = true
    start.succeed()
  })
  consumer.on('error', (err) => {
    isReady = false
    start.reportConsumer(err)
    if (!stopping.signal.aborted) void ensureQueue()
  })
  await start.done.catch((err: unknown) => {
    stopping.abort()
    connection.unsafeDestroy()
    throw err
  })
  return {
    fault: () => (isReady ? undefined : `no messages come from the queue ${queue} of RabbitMQ`),
    async stop() {
      stopping.abort()
      await consumer
        .close()
        .catch((err) => logger.warn({ err }, 'the connection to RabbitMQ failed while the consumer stopped'))
      await tracked.settled()
      await postponer.close().catch(() => undefined)
      await Promise.race([connection.close(), sleep(CLOSE_PATIENCE_MS, undefined, { ref: false })])
    },
  }
}

function connect({ url }: RabbitmqOptions): Connection {
  return new Connection({
    ...connectionOptions(url),
    connectionName: 'judge-worker',
    // Also the time limit for stopping a consumer without a connection.
    acquireTimeout: 5000,
    retryLow: 500,
    retryHigh: 10_000,
  })
}

/** Wraps a handler: returns a status for every delivery and never throws. */
function createDelivery(
  { logger }: RabbitmqOptions,
  handler: MessageHandler,
  postponer: Postponer,
  signal: AbortSignal,
) {
  let failures = 0
  return async (delivery: AsyncMessage): Promise<ConsumerStatus> => {
    const message = readDelivery(delivery)
    if (!message) {
      logger.error({ messageId: delivery.messageId }, 'an invalid message was dropped')
      return ConsumerStatus.DROP
    }
    try {
      await handler(message)
      failures = 0
      return ConsumerStatus.ACK
    } catch (err) {
      if (err instanceof WorkerTooOldError && (await postponer.postpone(delivery, message.id)))
        return ConsumerStatus.ACK
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS)
      failures += 1
      logger.warn({ ...message, err, pauseMs }, 'the message goes back to the queue')
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      return ConsumerStatus.REQUEUE
    }
  }
}

/** The body is parsed if the sender has set the content type, else it is bytes. */
function readDelivery({ body }: AsyncMessage) {
  if (!Buffer.isBuffer(body) && typeof body !== 'string') return readMessage(body)
  return readMessage(tryOr(() => JSON.parse(body.toString()), undefined))
}

async function declareQueue(connection: Connection, { queue, queueType }: RabbitmqOptions): Promise<void> {
  try {
    await connection.queueDeclare({ queue, passive: true })
  } catch (err) {
    if (!(err instanceof AMQPChannelError) || err.code !== 'NOT_FOUND') throw err
    const queueArguments = queueType === 'quorum' ? { arguments: { 'x-queue-type': queueType } } : {}
    await connection.queueDeclare({ queue, durable: true, ...queueArguments })
  }
}

type Postponer = ReturnType<typeof createPostponer>

/**
 * Puts copies of messages for other workers at the end of the queue: RabbitMQ would deliver a
 * rejected message again at once, before all others. The pause is shared by all messages in the
 * queue: a message waits only if it was postponed less than `POSTPONED_MS` ago.
 */
function createPostponer(connection: Connection, queue: string, signal: AbortSignal) {
  const publisher = connection.createPublisher({ confirm: true })
  const postponedAtMs = new LRUCache<string, number>({ max: REMEMBERED })
  return {
    /** False if RabbitMQ has not taken the copy, for example without the permission to write. */
    async postpone(delivery: AsyncMessage, id: string): Promise<boolean> {
      const againAtMs = (postponedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) + POSTPONED_MS
      const { body, consumerTag: _, deliveryTag: __, exchange: ___, userId: ____, ...fields } = delivery
      try {
        await sleep(Math.max(0, againAtMs - performance.now()), undefined, { signal })
        await publisher.send({ ...fields, routingKey: queue }, body)
      } catch {
        return false
      }
      postponedAtMs.set(id, performance.now())
      return true
    },
    close: () => publisher.close(),
  }
}
