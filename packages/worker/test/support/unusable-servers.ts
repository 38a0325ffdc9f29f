import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** A server that accepts connections and never responds. */
export async function startSilentServer() {
  const sockets = new Set<{ destroy(): unknown }>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    sockets.add(socket)
  })
  const port = await listen(server)
  return {
    host: `127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await closeServer(server)
    },
  }
}

/** A host with a closed port. */
export async function findClosedHost(): Promise<string> {
  const server = createServer()
  const port = await listen(server)
  await closeServer(server)
  return `127.0.0.1:${port}`
}

/** Opens a server on a free port and returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return Object(server.address()).port
}

async function closeServer(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
