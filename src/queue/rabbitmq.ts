import { setImmediate } from 'node:timers/promises'
import { connectionOptions } from '@judge-data-layer/runtime/rabbitmq-hosts'
import { AMQPError, type Channel, Connection, type Envelope } from 'rabbitmq-client'
import { type Logger, OutageLog } from '../background/outage-log.ts'
import { backOffMs, settlesWithin } from '../background/waiting.ts'
import type { Broker, QueuedMessage } from './broker.ts'

export interface RabbitMqOptions {
  /** `amqp://` or `amqps://`, also with several hosts; others throw. */
  readonly url: string
  readonly queue: string
  readonly queueType: 'classic' | 'quorum'
  readonly logger: Logger
  /** How long a message may wait for its confirm. */
  readonly confirmTimeoutMs?: number
  /** Most unconfirmed messages of a channel. */
  readonly maxInFlight?: number
}

const DEFAULTS = { confirmTimeoutMs: 5000, maxInFlight: 500 }
const REOPEN = { baseMs: 500, maxMs: 30_000 }
const CLOSE_TIMEOUT_MS = 1000

/** A channel in confirm mode on which the queue has been declared. */
interface Publisher {
  readonly channel: Channel
  /** Outbox ids of unroutable messages. */
  readonly returned: Set<string>
  unconfirmed: number
  /** Set at `maxInFlight`, until half of the messages are confirmed. */
  isFull: boolean
}

/**
 * Connects to RabbitMQ in the background, again after each failure, and declares the queue on every
 * channel (D29). The capacity is 0 during an outage, and while the queue cannot be declared.
 */
export class RabbitMqBroker implements Broker {
  readonly #options: RabbitMqOptions & typeof DEFAULTS
  readonly #connection: Connection
  readonly #outage: OutageLog
  readonly #listeners: (() => void)[] = []
  #publisher: Publisher | undefined
  #isOpening = false
  #reopenTimer: NodeJS.Timeout | undefined
  /** Lost channels and failed openings since the last confirm. */
  #faults = 0
  #isClosed = false

  constructor(options: RabbitMqOptions) {
    this.#options = { ...DEFAULTS, ...options }
    this.#outage = new OutageLog(options.logger, 'error', 'RabbitMQ accepts messages again.')
    this.#connection = new Connection({
      ...connectionOptions(options.url),
      connectionName: 'judge-data-layer',
      retryLow: 250,
      retryHigh: 5000,
    })
    this.#connection.on('error', (err: unknown) => this.#report(err))
    this.#connection.on('connection', () => void this.#open())
    this.#connection.on('connection.blocked', (reason) => this.#report(new Error(`blocked: ${reason}`)))
    this.#connection.on('connection.unblocked', () => void this.#open())
  }

  capacity(): number {
    if (this.#publisher === undefined || !this.#connection.ready || this.#publisher.isFull) return 0
    return this.#options.maxInFlight - this.#publisher.unconfirmed
  }

  async isEmpty(): Promise<boolean> {
    if (!this.#connection.ready) throw new Error('RabbitMQ is unreachable')
    // On its own channel: the broker closes it if the queue does not exist.
    const channel = await this.#connection.acquire()
    try {
      const { messageCount } = await channel.queueDeclare({ queue: this.#options.queue, passive: true })
      return messageCount === 0
    } catch (err) {
      // A deleted queue has no messages.
      if (err instanceof AMQPError && err.code === 'NOT_FOUND') return true
      throw err
    } finally {
      void channel.close().catch(() => {})
    }
  }

  onReady(listener: () => void): void {
    this.#listeners.push(listener)
  }

  async publish(message: QueuedMessage): Promise<void> {
    const publisher = this.#publisher
    if (publisher === undefined) throw new Error('RabbitMQ is unreachable')
    publisher.unconfirmed += 1
    publisher.isFull ||= publisher.unconfirmed >= this.#options.maxInFlight
    try {
      await this.#send(publisher, message)
      this.#faults = 0
    } finally {
      publisher.unconfirmed -= 1
      this.#closeIfSpent(publisher)
      // Not earlier: claiming rows one by one would be slow.
      if (publisher.isFull && publisher.unconfirmed <= this.#options.maxInFlight / 2) {
        publisher.isFull = false
        this.#notify()
      }
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#reopenTimer)
    const channel = this.#publisher?.channel
    this.#publisher = undefined
    const closing = Promise.resolve(channel?.close()).then(() => this.#connection.close())
    if (!(await settlesWithin(closing, CLOSE_TIMEOUT_MS))) this.#connection.unsafeDestroy()
  }

  async #send({ channel, returned }: Publisher, message: QueuedMessage): Promise<void> {
    const { queue, confirmTimeoutMs } = this.#options
    const { type, id } = message.body
    // The exact bytes of D29: keys in this order.
    const body = Buffer.from(JSON.stringify({ type, id }))
    const confirmed = channel.basicPublish(this.#envelope(message), body)
    if (!(await settlesWithin(confirmed, confirmTimeoutMs))) {
      this.#lose(channel)
      throw new Error(`RabbitMQ did not confirm within ${confirmTimeoutMs} ms`)
    }
    await confirmed
    // RabbitMQ returns an unroutable message, and then confirms it. The library emits the return
    // from an earlier setImmediate than this one.
    await setImmediate()
    if (returned.delete(message.outboxId)) throw new Error(`the queue ${queue} does not exist`)
  }

  #envelope(message: QueuedMessage): Envelope {
    return {
      exchange: '',
      routingKey: this.#options.queue,
      mandatory: true,
      durable: true,
      contentType: 'application/json',
      type: message.body.type,
      messageId: message.outboxId,
      timestamp: Math.floor(Date.parse(message.enqueuedAt) / 1000),
      // Older workers read `attempt`.
      headers: { judging: message.judging, attempt: message.judging, enqueued_at: message.enqueuedAt },
    }
  }

  async #open(): Promise<void> {
    if (this.#isClosed || this.#isOpening || !this.#connection.ready) return
    if (this.#publisher === undefined) {
      this.#isOpening = true
      try {
        await this.#openPublisher()
      } catch (err) {
        this.#report(err)
        this.#reopenLater()
        return
      } finally {
        this.#isOpening = false
      }
    }
    this.#outage.works()
    this.#notify()
  }

  async #openPublisher(): Promise<void> {
    const channel = await this.#connection.acquire({ emitErrorsFromChannel: true })
    channel.on('error', (err: unknown) => this.#report(err))
    await channel.queueDeclare({
      queue: this.#options.queue,
      durable: true,
      ...(this.#options.queueType === 'quorum' ? { arguments: { 'x-queue-type': 'quorum' } } : {}),
    })
    await channel.confirmSelect()
    const returned = new Set<string>()
    channel.on('basic.return', ({ messageId }) => {
      if (messageId !== undefined) returned.add(messageId)
      this.#lose(channel)
    })
    channel.once('close', () => this.#lose(channel))
    if (!channel.active) throw new Error('the channel was closed while it was opened')
    this.#publisher = { channel, returned, unconfirmed: 0, isFull: false }
  }

  /** Replaces a faulty channel; the next one declares the queue again. */
  #lose(channel: Channel): void {
    const publisher = this.#publisher
    if (publisher?.channel !== channel) return
    this.#publisher = undefined
    this.#closeIfSpent(publisher)
    this.#reopenLater()
  }

  /** A lost channel stays open for its confirms; without them, messages would be sent twice. */
  #closeIfSpent(publisher: Publisher): void {
    if (publisher !== this.#publisher && publisher.unconfirmed === 0) void publisher.channel.close()
  }

  /** At once after the first fault, later after each further one without a confirm in between. */
  #reopenLater(): void {
    if (this.#isClosed || !this.#connection.ready) return
    const delayMs = this.#faults === 0 ? 0 : backOffMs(this.#faults, REOPEN)
    this.#faults += 1
    clearTimeout(this.#reopenTimer)
    this.#reopenTimer = setTimeout(() => void this.#open(), delayMs)
  }

  #notify(): void {
    if (this.capacity() === 0) return
    for (const listener of this.#listeners) listener()
  }

  #report(err: unknown): void {
    if (this.#isClosed) return
    const { queue, queueType } = this.#options
    const message =
      err instanceof AMQPError && err.code === 'PRECONDITION_FAILED'
        ? `The queue "${queue}" exists with other properties than a durable ${queueType} queue: delete it, or configure its type or another name. Messages wait in the outbox.`
        : 'RabbitMQ is unreachable or refuses messages; they wait in the outbox.'
    this.#outage.failed({ err, queue }, message)
  }
}
