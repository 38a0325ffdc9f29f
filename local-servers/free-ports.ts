import { once } from 'node:events'
import { createServer } from 'node:net'

/** Finds `count` ports of the loopback address that nobody listens on, no two alike. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => Object(server.address()).port)
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}
