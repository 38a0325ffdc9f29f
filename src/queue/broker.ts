/** What a message asks to be judged: a submission, or a custom-input run (D29). */
export type MessageKind = 'submission' | 'input'

/** The body of a message, exactly (D29). */
export interface GradingMessage {
  readonly type: MessageKind
  readonly id: string
}

/** An outbox row on its way to the broker: the body, and what goes into properties and headers. */
export interface QueuedMessage {
  readonly outboxId: string
  readonly body: GradingMessage
  /** The number of this queueing of what is to be judged, from 1. */
  readonly attempt: number
  /** How often the row has been claimed, this time included. */
  readonly claims: number
  readonly enqueuedAt: string
}

/** The port to the queue: RabbitMQ, or a worker in the same process. */
export interface Broker {
  /** How many messages it would take right now; 0 while it is away or nobody consumes. */
  capacity(): number
  /**
   * Hands one message over. Resolves once the broker answers for it (RabbitMQ has confirmed and routed it, the worker
   * in this process has finished with it); rejects when that is not known, and the row stays in the outbox.
   */
  publish(message: QueuedMessage): Promise<void>
  /** Says whether no message waits for a worker: all that were published are with one, or gone. Rejects when that is not known. */
  isEmpty(): Promise<boolean>
  /** Calls `listener` whenever capacity returns. */
  onReady(listener: () => void): void
  close(): Promise<void>
}
