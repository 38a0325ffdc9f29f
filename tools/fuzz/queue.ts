import { Connection } from 'rabbitmq-client'

export interface FuzzQueue {
  /** What leads the service to the queue; nothing for the one within its process. */
  readonly variables: Readonly<Record<string, string>>
  remove(): Promise<void>
}

/** A queue of its own on RabbitMQ, or none. */
export async function openQueue(url: string | undefined): Promise<FuzzQueue> {
  if (!url) return { variables: {}, remove: async () => {} }
  const name = `judge_fuzz_${process.pid}_${crypto.randomUUID().slice(0, 8)}`
  return {
    variables: { AMQP_URL: url, AMQP_QUEUE: name },
    remove: async () => {
      const connection = new Connection(url)
      await connection.queueDelete({ queue: name })
      await connection.close()
    },
  }
}
