import { once } from 'node:events'
import { Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Timeouts } from './timeouts.ts'

/**
 * Closes connections with the application: accepts no new ones, still responds on open ones with
 * `Connection: close`, ends idle ones after `idleDrainMs`, and all others after `drainMs`. Node
 * would end idle connections at once, and wait for clients that connect and send nothing. A request
 * on its way to a closed connection is lost, and clients must not repeat a POST.
 */
export function drainConnections(app: FastifyInstance, { drainMs, idleDrainMs }: Timeouts): void {
  const requests = new Map<Socket, number>()
  let state: 'open' | 'closing' | 'ending' = 'open'
  const count = (socket: Socket, change: -1 | 0 | 1) => {
    const before = requests.get(socket)
    // A response may close after its connection.
    if (before === undefined) return
    requests.set(socket, before + change)
    if (state === 'ending' && before + change === 0) socket.destroySoon()
  }
  app.server.on('connection', (socket) => {
    requests.set(socket, 0)
    socket.once('close', () => requests.delete(socket))
    count(socket, 0)
  })
  app.server.on('request', (request, response) => {
    count(request.socket, 1)
    response.once('close', () => count(request.socket, -1))
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (state !== 'open') reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), drainMs).unref()
    state = 'closing'
    const allEnded = once(app.server, 'close')
    // `close` of an HTTP server would also end idle connections.
    Server.prototype.close.call(app.server)
    await Promise.race([allEnded, wait(idleDrainMs, undefined, { ref: false })])
    state = 'ending'
    for (const socket of requests.keys()) count(socket, 0)
  })
}

/** A client may still send for this long: closing at once would reset the connection. */
const LINGER_MS = 1000

/** Ends a connection; reads on until the client ends it too, for at most a second. */
export function closeGently(socket: Duplex): void {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/**
 * A connection that ends with its response, as in HTTP/1.0, is closed gently if the client may
 * still send its body. Node would reset the connection, and the client could lose the response.
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
