import type { FastifyInstance } from 'fastify'

/** How long a client may take for what is its own to do, each in milliseconds; whoever takes longer loses the connection. */
export interface Timeouts {
  /** To send a request's head, also its first byte on a new connection. */
  readonly headMs: number
  /** To send a whole request. */
  readonly requestMs: number
  /** Between an answer and the next request on the same connection. */
  readonly keepAliveMs: number
  /** To read a whole answer. */
  readonly answerMs: number
  /** How often Node looks for heads and requests that are late. */
  readonly checkMs: number
}

/**
 * In five minutes the largest body (64 MiB) comes at 1.8 Mbit/s, and so leaves the longest list (128 MiB) at 3.6. Load balancers keep
 * idle connections for 60 s, and must be the first to close them.
 */
export const TIMEOUTS: Timeouts = {
  headMs: 20_000,
  requestMs: 300_000,
  keepAliveMs: 75_000,
  answerMs: 300_000,
  checkMs: 5000,
}

/** Ends the connection of a client that does not read its answer to the end in time; Node waits for it for ever, and keeps the answer. */
export function boundAnswers(app: FastifyInstance, timeoutMs: number): void {
  app.server.on('request', (request, response) => {
    response.once('prefinish', () => {
      // The system has taken it whole, as it does at once but for what is larger than its buffers.
      if (request.socket.writableLength === 0) return
      const timer = setTimeout(() => request.socket.destroy(), timeoutMs).unref()
      response.once('close', () => clearTimeout(timer))
    })
  })
}
