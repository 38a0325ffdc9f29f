import { Connection } from 'rabbitmq-client'

async function withBroker<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new Connection({ url, retryLow: 50 })
  try {
    await connection.onConnect(10_000)
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** Deletes a queue with what is in it. */
export async function deleteQueue(url: string, queue: string): Promise<void> {
  await withBroker(url, (connection) => connection.queueDelete({ queue }))
}

/** Throws away what waits in a queue; answers how many messages that were. */
export async function purgeQueue(url: string, queue: string): Promise<number> {
  return withBroker(url, async (connection) => (await connection.queuePurge({ queue })).messageCount)
}
