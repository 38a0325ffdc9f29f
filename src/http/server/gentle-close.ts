import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A client may still send for this long: closing at once would reset the connection. */
const LINGER_MS = 1000

/** Ends a connection; reads on until the client ends it too, for at most a second. */
export function closeGently(socket: Duplex): void {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/**
 * A connection that ends with its response, as in HTTP/1.0, is closed gently if the client may still
 * send its body. Node would reset the connection, and the client could lose the response.
 */
export function closeGentlyAfterResponses(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    const { complete, headers, socket } = raw
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers
    const isAllRead = complete || (length === '0' && encoding === undefined)
    // Node calls this method after the response.
    if (!reply.raw.shouldKeepAlive && !isAllRead) socket.destroySoon = () => closeGently(raw.resume().socket)
    done()
  })
}
