/** The submission or custom-input run to judge (D29). */
export interface Message {
  readonly type: 'submission' | 'input'
  readonly id: string
}

/** If the handler rejects, the message comes back. */
export type MessageHandler = (message: Message) => Promise<void>

export interface Subscription {
  /** Takes no new message; resolves after all running handlers have settled. */
  stop(): Promise<void>
  /** Why no message comes now; undefined while the source works. */
  fault?(): string | undefined
}

/**
 * Where messages come from: RabbitMQ, the parent that also started the service, or the service's
 * queue in the same process.
 */
export interface MessageSource {
  /**
   * Calls the handler for each message, at most `concurrency` at once. Rejects if it cannot start.
   * After an outage it continues.
   */
  consume(concurrency: number, handler: MessageHandler): Promise<Subscription>
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Reads the body of a message (D29); undefined if it is invalid. */
export function readMessage(body: unknown): Message | undefined {
  if (typeof body !== 'object' || body === null || !('type' in body) || !('id' in body)) return undefined
  const { type, id } = body
  if (type !== 'submission' && type !== 'input') return undefined
  return typeof id === 'string' && ID.test(id) ? { type, id } : undefined
}
