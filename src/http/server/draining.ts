import { Server, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * How long a connection without a request stays open once the application closes. One that is closed while the client's next request is on
 * its way loses that request, and no client may send a POST again by itself; who asks within this time is answered, and told to go.
 */
const IDLE_GRACE_MS = 1000

/**
 * Ends the connections when the application closes: takes no new ones at once, answers what comes on those that are open and says with each
 * answer that it is the last, ends those without a request after a second, and whatever is left after `graceMs`. Node by itself closes idle
 * ones at once, and waits for clients that connected and said nothing.
 */
export function drainConnections(app: FastifyInstance, graceMs: number): void {
  const requests = new Map<Socket, number>()
  let state: 'open' | 'last answers' | 'ending' = 'open'
  let allEnded = () => {}
  const count = (socket: Socket, change: -1 | 0 | 1) => {
    const before = requests.get(socket)
    // The last answer of a connection that broke is reported after the connection itself.
    if (before === undefined) return
    requests.set(socket, before + change)
    if (state === 'ending' && before + change === 0) socket.destroySoon()
  }
  app.server.on('connection', (socket) => {
    requests.set(socket, 0)
    socket.once('close', () => {
      requests.delete(socket)
      if (requests.size === 0) allEnded()
    })
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
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref()
    state = 'last answers'
    // The HTTP server's own `close` would end the idle connections too.
    Server.prototype.close.call(app.server)
    if (requests.size > 0) {
      await waitAtMost(IDLE_GRACE_MS, (resolve) => {
        allEnded = resolve
      })
    }
    state = 'ending'
    for (const socket of requests.keys()) count(socket, 0)
  })
}

function waitAtMost(timeoutMs: number, listen: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs)
    listen(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
