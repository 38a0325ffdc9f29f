import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { AppError, errorBody } from '../routing/errors.ts'

/** What is known of the connections of a server. */
export interface BrokenRequests {
  /** To be told of every request. */
  readonly note: (response: ServerResponse) => void
  /** Node's `clientError`. */
  readonly answer: (err: Error & { code?: string }, socket: Socket, log: FastifyBaseLogger) => void
  /** Node's `connect`: it ends such a connection without a word. */
  readonly refuseTunnel: (socket: Duplex, log: FastifyBaseLogger) => void
}

/** How long a client may go on sending after such an answer. A connection closed on bytes that were not read resets, and the answer is lost. */
const LINGER_MS = 1000

/** Answers (400) what is not well-formed HTTP or comes too slowly, where the answer cannot be taken for another's; the connection ends. */
export function createBrokenRequests(): BrokenRequests {
  const newest = new WeakMap<Socket, ServerResponse>()
  const broken = new WeakSet<Socket>()
  return {
    note: (response) => void newest.set(response.req.socket, response),
    answer: (err, socket, log) => {
      if (err.code === 'ECONNRESET') return void socket.destroy()
      // More of what was answered already.
      if (broken.has(socket)) return
      broken.add(socket)
      if (!socket.writable) return void socket.destroy()
      const response = newest.get(socket)
      if (response === undefined || (response.req.complete && response.writableFinished))
        answerHead(socket, log, refuse())
      else if (!response.req.complete && !response.headersSent) {
        response.once('finish', () => closeGently(socket))
        failBody(response)
      }
      // The client would take an answer for that of the request before.
      else closeGently(socket)
    },
    refuseTunnel: (socket, log) => {
      socket.on('error', () => {})
      answerHead(socket, log, new AppError('NOT_FOUND', 'There is no route CONNECT'))
    },
  }
}

/** There is no request to answer. */
function answerHead(socket: Duplex, log: FastifyBaseLogger, refusal: AppError): void {
  const id = randomUUID()
  const { status } = refusal
  const body = JSON.stringify(errorBody(refusal, id))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
  ]
  const address = 'remoteAddress' in socket ? socket.remoteAddress : undefined
  log.info({ reqId: id, route: 'none', status, address }, 'request')
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  closeGently(socket)
}

/** Whoever reads the body, now or once the caller is admitted, learns that it is broken, and answers the request as any other. */
function failBody({ req }: ServerResponse): void {
  const fail = () => req.listenerCount('error') > 0 && req.emit('error', refuse())
  if (fail()) return
  req.on('newListener', (event) => {
    if (event === 'error') setImmediate(fail)
  })
}

function closeGently(socket: Duplex): void {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

const refuse = () =>
  new AppError(
    'VALIDATION',
    'The request must be well-formed HTTP with headers of at most 16 KiB, sent in time',
  )
