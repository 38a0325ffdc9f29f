import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * How long a client may take, in milliseconds; then its connection ends. In five minutes the
 * largest body (64 MiB) arrives at 1.8 Mbit/s. Load balancers keep idle connections for 60 s and
 * must close them first. Linux reports that a client has read only after up to 1.5 MB: in 30 s a
 * client at 64 KiB/s reads more.
 */
export const TIMEOUTS = {
  /** To send the head of a request, including its first byte on a new connection. */
  headMs: 20_000,
  /** To send a whole request. */
  requestMs: 300_000,
  /** Between a response and the next request on the same connection. */
  keepAliveMs: 75_000,
  /** The time over which a client must read `LEAST_BYTES_PER_SECOND` on average. */
  readMs: 30_000,
  /** How often late heads and requests, and slow readers, are looked for. */
  checkMs: 5000,
  /** For requests after the application closes; the whole shutdown has 10 s. */
  drainMs: 5000,
  /** For the next request on an idle connection then, which may be on its way. */
  idleDrainMs: 1000,
}

export type Timeouts = Readonly<typeof TIMEOUTS>

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

/** A client at 16 KiB/s reads a slice in 4 s. */
const SLICE_BYTES = 64 * 1024

/**
 * A response that hands a long body to its socket in slices, as the client reads them. Node counts
 * a body as written at once, so its progress could not be measured.
 */
export class PacedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override end(...given: unknown[]): this {
    const [body] = given
    if (!Buffer.isBuffer(body) || body.length <= SLICE_BYTES) {
      return Reflect.apply(super.end, this, given)
    }
    Readable.from(slicesOf(body), { objectMode: false, highWaterMark: SLICE_BYTES }).pipe(this)
    return this
  }
}

function* slicesOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += SLICE_BYTES) {
    yield body.subarray(start, start + SLICE_BYTES)
  }
}
