import type { FastifyInstance } from 'fastify'

/** How long a client may take, in milliseconds; then its connection ends. */
export interface Timeouts {
  /** To send the head of a request, including its first byte on a new connection. */
  readonly headMs: number
  /** To send a whole request. */
  readonly requestMs: number
  /** Between a response and the next request on the same connection. */
  readonly keepAliveMs: number
  /** To read a whole response. */
  readonly responseMs: number
  /** How often Node checks for late heads and requests. */
  readonly checkMs: number
}

/**
 * In five minutes the largest body (64 MiB) arrives at 1.8 Mbit/s, and the longest list (128 MiB)
 * leaves at 3.6 Mbit/s. Load balancers keep idle connections for 60 s and must close them first.
 */
export const TIMEOUTS: Timeouts = {
  headMs: 20_000,
  requestMs: 300_000,
  keepAliveMs: 75_000,
  responseMs: 300_000,
  checkMs: 5000,
}

/** Ends connections of clients that do not read the response in time; Node would wait forever. */
export function limitResponseTime(app: FastifyInstance, timeoutMs: number): void {
  app.server.on('request', (request, response) => {
    response.once('prefinish', () => {
      // The operating system has already buffered the whole response.
      if (request.socket.writableLength === 0) return
      const timer = setTimeout(() => request.socket.destroy(), timeoutMs).unref()
      response.once('close', () => clearTimeout(timer))
    })
  })
}
