import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** A server that accepts connections and never responds. */
export async function startSilentServer() {
  const sockets = new Set<{ destroy(): unknown }>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  return {
    host: `127.0.0.1:${await listen(server)}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}

/** A host with a closed port. */
export async function findClosedHost(): Promise<string> {
  const server = createServer()
  const host = `127.0.0.1:${await listen(server)}`
  await once(server.close(), 'close')
  return host
}

/** Opens a server on a free port and returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return Object(server.address()).port
}
