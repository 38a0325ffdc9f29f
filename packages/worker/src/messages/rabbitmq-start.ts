import { connect, type Socket } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import { splitHosts } from '@judge-data-layer/runtime/server-hosts'
import { createLatch } from '../shared/latch.ts'
import { describeError, type Logger } from '../shared/logger.ts'
import { StartError } from '../shared/start-error.ts'

export interface RabbitmqOptions {
  readonly url: string
  readonly queue: string
  /** How the worker declares a missing queue: `classic` without arguments (D29). */
  readonly queueType: 'classic' | 'quorum'
  readonly logger: Logger
}

/** For each host. */
const START_TIMEOUT_MS = 6000
const NO_RESPONSE = `no response within ${START_TIMEOUT_MS / 1000} s`
const PROTOCOL_HEADER = Buffer.from('AMQP\0\0\x09\x01', 'latin1')
const FRAME_METHOD = 1

/**
 * Checks that the servers are RabbitMQ; returns the milliseconds left for the start. Throws
 * `StartError` if none responds. Without this check, `rabbitmq-client` ends the process with an
 * uncaught error if a server is a web server, such as RabbitMQ's management page.
 */
export async function checkServer({ url }: RabbitmqOptions): Promise<number> {
  const urls = splitHosts(url)
  const endsAt = performance.now() + START_TIMEOUT_MS * urls.length
  const checks = await Promise.allSettled(urls.map(checkProtocol))
  const failures = checks.flatMap((check) => (check.status === 'rejected' ? [check.reason] : []))
  const wrong = failures.find((err) => err instanceof WrongServerError)
  const err = wrong ?? (failures.length === checks.length ? failures[0] : undefined)
  if (err !== undefined)
    throw new StartError('AMQP_URL', `no connection to ${describeServer(url)}: ${describeError(err)}`, err)
  return endsAt - performance.now()
}

class WrongServerError extends Error {}

async function checkProtocol(url: string): Promise<void> {
  const { protocol, hostname: host, port } = new URL(url)
  const socket =
    protocol === 'amqps:'
      ? connectByTls({ host, port: Number(port || 5671) })
      : connect({ host, port: Number(port || 5672) })
  const timer = setTimeout(() => socket.destroy(new Error(NO_RESPONSE)), START_TIMEOUT_MS)
  try {
    socket.write(PROTOCOL_HEADER)
    const firstByte = await readFirstByte(socket)
    if (firstByte === undefined) throw new Error('the connection was closed immediately')
    if (firstByte !== FRAME_METHOD) throw new WrongServerError('the server there is not RabbitMQ')
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** The start of a source. The first failure ends it; failures after the start are only logged. */
export function watchStart({ url, queue, logger }: RabbitmqOptions, timeoutMs: number) {
  const server = describeServer(url)
  const start = createLatch()
  let state: 'starting' | 'started' | 'failed' = 'starting'
  let queueFault: unknown
  const fail = (variable: 'AMQP_URL' | 'AMQP_QUEUE', problem: string, cause?: unknown) => {
    if (state !== 'starting') return
    state = 'failed'
    clearTimeout(timer)
    start.fail(new StartError(variable, problem, cause))
  }
  const warn = (fields: object, message: string) => {
    if (state === 'started') logger.warn(fields, message)
  }
  // The library tries the other hosts.
  const hasOtherHosts = splitHosts(url).length > 1
  let reason = NO_RESPONSE
  const timer = setTimeout(() => fail('AMQP_URL', `no connection to ${server}: ${reason}`), timeoutMs)
  return {
    /** Resolves with the first consumer. Rejects with `StartError`. */
    done: start.opened,
    succeed() {
      if (state === 'starting') state = 'started'
      clearTimeout(timer)
      start.open()
      logger.info({ queue }, 'waiting for messages')
    },
    reportConnection(err: unknown) {
      warn({ err }, 'the connection to RabbitMQ failed')
      reason = describeReply(err)
      if (!hasOtherHosts) fail('AMQP_URL', `no connection to ${server}: ${reason}`, err)
    },
    /** The queue was neither found nor declared. Only a failed consumer ends the start. */
    reportQueue(err: unknown) {
      warn({ err, queue }, 'the queue cannot be declared')
      queueFault = err
    },
    reportConsumer(err: unknown) {
      warn({ err, queue }, 'the consumer was interrupted')
      const problem = queueFault === undefined ? 'cannot read' : 'can neither find nor declare'
      const reason = queueFault ?? err
      fail(
        'AMQP_QUEUE',
        `the worker ${problem} the queue ${JSON.stringify(queue)} of ${server}: ${describeReply(reason)}`,
        reason,
      )
    },
  }
}

/** The addresses without the user and the password. */
function describeServer(url: string): string {
  return `RabbitMQ at ${splitHosts(url)
    .map((one) => new URL(one).host)
    .join(', ')}`
}

/** Undefined if the connection is closed. */
async function readFirstByte(socket: Socket): Promise<number | undefined> {
  for await (const chunk of socket) if (Buffer.isBuffer(chunk)) return chunk[0]
  return undefined
}

/** RabbitMQ's message, such as "ACCESS_REFUSED - …", without the client's prefix. */
function describeReply(err: unknown): string {
  return describeError(err).replace(/^.*?(?=[A-Z]+_[A-Z]+ - )/, '')
}
