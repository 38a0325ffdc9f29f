import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends the connections when the application closes: at once those without a request, the others with their answer, and whatever
 * is left after `graceMs`. Node by itself waits for clients that connected and said nothing, and for those that keep the
 * connection on which they were just answered.
 */
export function drainConnections(app: FastifyInstance, graceMs: number): void {
  const requests = new Map<Socket, number>()
  let isDraining = false
  const count = (socket: Socket, change: -1 | 0 | 1) => {
    const before = requests.get(socket)
    // The last answer of a connection that broke is reported after the connection itself.
    if (before === undefined) return
    requests.set(socket, before + change)
    if (isDraining && before + change === 0) socket.destroySoon()
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
    if (isDraining) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', async () => {
    isDraining = true
    for (const socket of requests.keys()) count(socket, 0)
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref()
  })
}
