import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Finds `count` different free ports of the loopback address. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => portOf(server.address()))
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** The port of a server. Throws if it does not listen on one. */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address.port
}
