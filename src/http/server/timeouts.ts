import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a client may take, in milliseconds; then its connection ends. */
export interface Timeouts {
  /** To send the head of a request, including its first byte on a new connection. */
  readonly headMs: number
  /** To send a whole request. */
  readonly requestMs: number
  /** Between a response and the next request on the same connection. */
  readonly keepAliveMs: number
  /** To read `LEAST_BYTES_PER_SECOND` of a response on average; the time over which it is measured. */
  readonly readMs: number
  /** How often late heads and requests, and slow readers, are looked for. */
  readonly checkMs: number
}

/**
 * In five minutes the largest body (64 MiB) arrives at 1.8 Mbit/s. Load balancers keep idle
 * connections for 60 s and must close them first. Linux reports that a client has read only after
 * up to 1.5 MB: in 30 s a client at 64 KiB/s reads more.
 */
export const TIMEOUTS: Timeouts = {
  headMs: 20_000,
  requestMs: 300_000,
  keepAliveMs: 75_000,
  readMs: 30_000,
  checkMs: 5000,
}

/** Clients that read less are slower than any modem, and hold the memory of their response. */
const LEAST_BYTES_PER_SECOND = 16 * 1024

/** What a connection has sent since a time. */
interface Progress {
  sinceMs: number
  bytes: number
}

/**
 * Ends connections of clients that read a response too slowly; Node would wait forever. It measures
 * only while bytes wait for the client. The first bytes fill the buffers of the operating system
 * before the first check, so they do not count.
 */
export function limitReadingTime(app: FastifyInstance, { readMs, checkMs }: Timeouts): void {
  // All connections: entries that come and go with each request would make garbage.
  const connections = new Map<Socket, Progress | undefined>()
  app.server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  const check = () => {
    const nowMs = performance.now()
    for (const [socket, progress] of connections) {
      const bytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0) connections.set(socket, undefined)
      else if (progress === undefined) connections.set(socket, { sinceMs: nowMs, bytes })
      else if (nowMs - progress.sinceMs >= readMs) {
        const leastBytes = (LEAST_BYTES_PER_SECOND * (nowMs - progress.sinceMs)) / 1000
        if (bytes - progress.bytes < leastBytes) socket.destroy()
        connections.set(socket, { sinceMs: nowMs, bytes })
      }
    }
  }
  const timer = setInterval(check, checkMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
