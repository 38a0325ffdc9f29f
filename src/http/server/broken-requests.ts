import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { AppError, errorBody } from '../routing/errors.ts'
import { closeGently } from './closing.ts'

/**
 * Responds to malformed and late requests (400) and to CONNECT (404); ends their connections and
 * runs no further request on them. Call it before other hooks are added.
 */
export function rejectBrokenRequests(app: FastifyInstance, log: FastifyBaseLogger): void {
  const { server } = app
  const newest = new WeakMap<Duplex, ServerResponse>()
  const broken = new WeakSet<Duplex>()
  // The rest of a late request: its client has the response already.
  app.addHook('onRequest', (request, reply, done) => {
    if (broken.has(request.raw.socket)) reply.hijack()
    else done()
  })
  server.on('request', ({ socket }, response) => newest.set(socket, response))
  server.on('clientError', (err: Error & { code?: string }, socket) => {
    if (err.code === 'ECONNRESET') return void socket.destroy()
    // More bytes of the same request.
    if (broken.has(socket)) return
    broken.add(socket)
    if (!socket.writable) return void socket.destroy()
    const response = newest.get(socket)
    if (response === undefined || (response.req.complete && response.writableFinished))
      respond(socket, log, malformed())
    else if (!response.req.complete && !response.headersSent) {
      response.once('finish', () => closeGently(socket))
      failBody(response)
    }
    // A response now would be read as the response to the previous request.
    else closeGently(socket)
  })
  // Without this listener Node closes the connection without a response.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {})
    const previous = newest.get(socket)
    if (previous === undefined || previous.writableFinished)
      respond(socket, log, new AppError('NOT_FOUND', 'There is no route CONNECT'))
    // A response now would be read as the response to the previous request.
    else previous.once('close', () => closeGently(socket))
  })
  // Unknown `Expect` headers get the usual response.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/**
 * Responds and logs without Fastify, which has no request here. Writes the bytes itself, because a
 * `ServerResponse` throws while the socket has another response, and that would end the process.
 */
function respond(socket: Duplex, log: FastifyBaseLogger, err: AppError): void {
  const id = randomUUID()
  const { status } = err
  const body = JSON.stringify(errorBody(err, id))
  const address = 'remoteAddress' in socket ? socket.remoteAddress : undefined
  log.info({ reqId: id, route: 'none', status, address }, 'request')
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  closeGently(socket)
}

/** Emits the error on the body stream; the route responds with 400. */
function failBody({ req }: ServerResponse): void {
  const fail = () => req.listenerCount('error') > 0 && req.emit('error', malformed())
  if (fail()) return
  // The body is read after the caller is admitted.
  req.on('newListener', (event) => {
    if (event === 'error') setImmediate(fail)
  })
}

const malformed = () =>
  new AppError(
    'VALIDATION',
    'The request must be well-formed HTTP with headers of at most 16 KiB, sent in time',
  )
