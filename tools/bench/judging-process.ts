import { Connection, ConsumerStatus } from 'rabbitmq-client'
import { serveParent } from './child.ts'
import { patchBody } from './values.ts'

export interface Judging {
  readonly amqpUrl: string
  readonly queue: string
  readonly serviceUrl: string
  readonly judgeToken: string
  readonly concurrency: number
}

let judged = 0
let isReading = false

/** Replies with the number of verdicts since the last request. */
serveParent(async (judging: Judging): Promise<number> => {
  if (!isReading) await startReading(judging)
  const count = judged
  judged = 0
  return count
})

async function startReading({ amqpUrl, queue, serviceUrl, judgeToken, concurrency }: Judging): Promise<void> {
  isReading = true
  const connection = new Connection({ url: amqpUrl, retryLow: 100 })
  connection.on('error', (err) => console.error(`the worker: ${String(err)}`))
  const headers = { authorization: judgeToken, 'content-type': 'application/json' }
  const consumer = connection.createConsumer(
    { queue, queueOptions: { passive: true }, concurrency, qos: { prefetchCount: concurrency } },
    async ({ body }) => {
      const url = `${serviceUrl}/v1/submissions/${body.id}`
      const record = await fetch(url, { headers })
      const { problem_id: problem } = Object(await record.json())
      const stored = await fetch(url, { method: 'PATCH', headers, body: patchBody(problem) })
      await stored.arrayBuffer()
      if (stored.status !== 204) return ConsumerStatus.REQUEUE
      judged += 1
      return ConsumerStatus.ACK
    },
  )
  await new Promise((ready) => consumer.once('ready', ready))
}
