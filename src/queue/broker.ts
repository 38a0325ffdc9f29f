/** A message is for a submission or a custom-input run (D29). */
export type MessageKind = 'submission' | 'input'

/** The body of a message, exactly (D29). */
export interface GradingMessage {
  readonly type: MessageKind
  readonly id: string
}

/** An outbox row on its way to the broker: the body, and the values for properties and headers. */
export interface QueuedMessage {
  readonly outboxId: string
  readonly body: GradingMessage
  /** The number of this judging of the submission or run, from 1. */
  readonly judging: number
  /** The number of claims of the row so far, including this one. */
  readonly claims: number
  readonly enqueuedAt: string
}

/** The worker on this machine gave the message back. */
export class ReturnedError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'ReturnedError'
  }
}

/** The port to the queue: RabbitMQ, or a worker on this machine. */
export interface Broker {
  /** The number of messages that it accepts now; 0 during an outage or without a consumer. */
  capacity(): number
  /**
   * Resolves once the message is safe: RabbitMQ has confirmed and routed it, or the worker on this
   * machine has finished. Rejects if that is unknown, with `ReturnedError` if this worker gave it
   * back; the row then stays in the outbox.
   */
  publish(message: QueuedMessage): Promise<void>
  /** Whether no published message waits for a worker. Rejects if that is unknown. */
  isEmpty(): Promise<boolean>
  /** Calls `listener` each time capacity returns. */
  onReady(listener: () => void): void
  close(): Promise<void>
}
