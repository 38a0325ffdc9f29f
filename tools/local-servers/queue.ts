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

/** Deletes a queue and its messages. */
export const deleteQueue = (url: string, queue: string): Promise<unknown> =>
  withBroker(url, (connection) => connection.queueDelete({ queue }))

/** Deletes the messages that wait in a queue. Returns their number. */
export const purgeQueue = (url: string, queue: string): Promise<number> =>
  withBroker(url, async (connection) => (await connection.queuePurge({ queue })).messageCount)
