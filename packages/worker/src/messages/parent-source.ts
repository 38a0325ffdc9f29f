import type { Pipe } from '@judge-data-layer/runtime/judging-pipe'
import { describeError, type Logger } from '../shared/logger.ts'
import { trackCalls } from '../shared/track-calls.ts'
import { type MessageHandler, type MessageSource, readMessage } from './message-source.ts'

/**
 * Messages from the service that the same parent has started. A message whose handler fails goes
 * back; the service sends it again after a pause, which grows with each failure.
 */
export function createParentSource(pipe: Pipe, logger: Logger): MessageSource {
  return {
    async consume(concurrency, handler) {
      let isStopping = false
      const { handler: settle, settled } = trackCalls(async (delivery: number, body: unknown) => {
        const failure = isStopping ? 'the worker is stopping' : await judge(handler, body, logger)
        await pipe.send({ kind: 'settled', delivery, ...(failure !== undefined && { failure }) })
      })
      pipe.onMessage((message) => {
        if (message.kind === 'delivery') void settle(message.delivery, message.body)
      })
      await pipe.send({ kind: 'ready', concurrency })
      logger.info({}, 'waiting for messages')
      return {
        async stop() {
          isStopping = true
          await pipe.send({ kind: 'stopping' })
          await settled()
        },
      }
    },
  }
}

/** Returns why the message goes back; undefined if it is done. */
async function judge(handler: MessageHandler, body: unknown, logger: Logger): Promise<string | undefined> {
  const message = readMessage(body)
  if (message === undefined) {
    logger.error({}, 'an invalid message was dropped')
    return undefined
  }
  try {
    await handler(message)
    return undefined
  } catch (err) {
    logger.warn({ ...message, err }, 'the message goes back to the queue')
    return describeError(err)
  }
}
