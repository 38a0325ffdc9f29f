import { setImmediate } from 'node:timers/promises'
import { AMQPError, type Channel, Connection, type Envelope } from 'rabbitmq-client'
import type { Broker, QueuedMessage } from './broker.ts'
import { type Logger, OutageLog } from './outage-log.ts'
import { backOffMs, settlesWithin } from './waiting.ts'

export interface RabbitMqOptions {
  /** `amqp://` or `amqps://`; anything else throws. */
  readonly url: string
  readonly queue: string
  readonly queueType: 'classic' | 'quorum'
  readonly logger: Logger
  /** How long the broker's answer to one message is waited for. Default 5000. */
  readonly confirmTimeoutMs?: number
  /** How many messages may be without an answer at once. Default 500. */
  readonly maxInFlight?: number
}

/**
 * Connects to RabbitMQ in the background, for as long as it takes, and declares the queue on every connection (D29).
 * While it is away, or the queue cannot be declared, the capacity is 0.
 */
export function connectRabbitMq(options: RabbitMqOptions): Broker {
  return new RabbitMqBroker(options)
}

const REOPEN_MS = { base: 500, max: 30_000 }
const CLOSE_MS = 1000

/** A channel in confirm mode on which the queue has been declared. */
interface Outlet {
  readonly channel: Channel
  /** The messages that it could not route. */
  readonly returned: Set<string>
  pending: number
}

class RabbitMqBroker implements Broker {
  readonly #options: RabbitMqOptions
  readonly #confirmTimeoutMs: number
  readonly #maxInFlight: number
  readonly #connection: Connection
  readonly #outage: OutageLog
  readonly #listeners: (() => void)[] = []
  #outlet: Outlet | undefined
  #isOpening = false
  #reopenTimer: NodeJS.Timeout | undefined
  /** How often opening has been tried since a message last went through. */
  #faults = 0
  #inFlight = 0
  #isFull = false
  #isClosed = false

  constructor(options: RabbitMqOptions) {
    this.#options = options
    this.#confirmTimeoutMs = options.confirmTimeoutMs ?? 5000
    this.#maxInFlight = options.maxInFlight ?? 500
    this.#outage = new OutageLog(options.logger, 'error', 'RabbitMQ takes messages again.')
    this.#connection = new Connection({
      url: options.url,
      connectionName: 'judge-data-layer',
      // The library gives a silent connection up after two heartbeats.
      heartbeat: 10,
      retryLow: 250,
      retryHigh: 5000,
    })
    this.#connection.on('error', (err: unknown) => this.#report(err))
    this.#connection.on('connection', () => void this.#open())
    this.#connection.on('connection.blocked', (reason) => this.#report(new Error(`blocked: ${reason}`)))
    this.#connection.on('connection.unblocked', () => void this.#open())
  }

  capacity(): number {
    if (this.#outlet === undefined || !this.#connection.ready || this.#isFull) return 0
    return this.#maxInFlight - this.#inFlight
  }

  async isEmpty(): Promise<boolean> {
    if (!this.#connection.ready) throw new Error('RabbitMQ is out of reach')
    // A channel of its own: the broker closes it where there is no queue.
    const channel = await this.#connection.acquire()
    try {
      const { messageCount } = await channel.queueDeclare({ queue: this.#options.queue, passive: true })
      return messageCount === 0
    } catch (err) {
      // Whatever waited in a queue that was deleted is gone with it.
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
    const outlet = this.#outlet
    if (outlet === undefined) throw new Error('RabbitMQ is out of reach')
    this.#inFlight += 1
    outlet.pending += 1
    this.#isFull ||= this.#inFlight >= this.#maxInFlight
    try {
      await this.#send(outlet, message)
      this.#faults = 0
    } finally {
      this.#inFlight -= 1
      outlet.pending -= 1
      this.#closeIfSpent(outlet)
      this.#makeRoom()
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#reopenTimer)
    const channel = this.#outlet?.channel
    this.#outlet = undefined
    const closing = Promise.resolve(channel?.close()).then(() => this.#connection.close())
    if (!(await settlesWithin(closing, CLOSE_MS))) this.#connection.unsafeDestroy()
  }

  async #send({ channel, returned }: Outlet, message: QueuedMessage): Promise<void> {
    const confirmed = channel.basicPublish(this.#envelope(message), encodeBody(message))
    if (!(await settlesWithin(confirmed, this.#confirmTimeoutMs))) {
      this.#lose(channel)
      throw new Error(`RabbitMQ did not confirm within ${this.#confirmTimeoutMs} ms`)
    }
    await confirmed
    // An unroutable message is confirmed too. The library emits its return from a setImmediate that it queued before
    // it read the confirm, so it has been heard once this one runs.
    await setImmediate()
    if (returned.delete(message.outboxId)) throw new Error(`the queue ${this.#options.queue} does not exist`)
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
      headers: {
        judging: message.judging,
        attempt: message.judging,
        enqueued_at: message.enqueuedAt,
      },
    }
  }

  async #open(): Promise<void> {
    if (this.#isClosed || this.#isOpening || !this.#connection.ready) return
    if (this.#outlet === undefined) {
      this.#isOpening = true
      try {
        await this.#openOutlet()
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

  async #openOutlet(): Promise<void> {
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
    this.#outlet = { channel, returned, pending: 0 }
  }

  /** Publishes no more on a channel that has shown a fault; the next one declares the queue again. */
  #lose(channel: Channel): void {
    const outlet = this.#outlet
    if (outlet === undefined || outlet.channel !== channel) return
    this.#outlet = undefined
    this.#closeIfSpent(outlet)
    this.#reopenLater()
  }

  /** A lost channel stays open for the answers still to come: closing it would lose them, and repeat the messages. */
  #closeIfSpent(outlet: Outlet): void {
    if (outlet !== this.#outlet && outlet.pending === 0) void outlet.channel.close()
  }

  /** At once after the first fault, ever later while faults follow without a message going through. */
  #reopenLater(): void {
    if (this.#isClosed || !this.#connection.ready) return
    const delayMs = this.#faults === 0 ? 0 : backOffMs(this.#faults, REOPEN_MS.base, REOPEN_MS.max)
    this.#faults += 1
    clearTimeout(this.#reopenTimer)
    this.#reopenTimer = setTimeout(() => void this.#open(), delayMs)
  }

  #makeRoom(): void {
    // Not at the first free place: claiming rows one by one would be slow.
    if (!this.#isFull || this.#inFlight > this.#maxInFlight / 2) return
    this.#isFull = false
    this.#notify()
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
        ? `RabbitMQ has the queue "${queue}" with other properties than a durable ${queueType} queue: delete it, or configure its type or another name. Messages wait in the outbox.`
        : 'RabbitMQ is out of reach or refuses messages; they wait in the outbox.'
    this.#outage.failed({ err, queue }, message)
  }
}

/** The bytes of D29, keys in this order. */
function encodeBody({ body }: QueuedMessage): Buffer {
  return Buffer.from(JSON.stringify({ type: body.type, id: body.id }), 'utf8')
}
