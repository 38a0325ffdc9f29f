/** What a message asks to be judged (D29). */
export interface Message {
  readonly type: 'submission' | 'input'
  readonly id: string
}

/** The handler resolves: the message is done with. It rejects: the message must come back. */
export type MessageHandler = (message: Message) => Promise<void>

export interface Subscription {
  /** Takes no new message; resolves once the handlers that run have settled. */
  stop(): Promise<void>
}

/** Where messages come from: RabbitMQ, or the service's queue in the same process. */
export interface MessageSource {
  /**
   * Calls the handler for each message, at most `concurrency` at once. Rejects if it cannot start;
   * it survives later outages.
   */
  consume(concurrency: number, handler: MessageHandler): Promise<Subscription>
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Reads the body of a message exactly as D29 has it; undefined for anything else. */
export function readMessage(body: unknown): Message | undefined {
  if (typeof body !== 'object' || body === null || !('type' in body) || !('id' in body)) return undefined
  const { type, id } = body
  if (type !== 'submission' && type !== 'input') return undefined
  return typeof id === 'string' && ID.test(id) ? { type, id } : undefined
}
