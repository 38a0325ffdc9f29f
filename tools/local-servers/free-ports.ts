import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Finds `count` different free ports of the loopback address. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(servers.map(listen))
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

/** Listens on a free port of the loopback address; resolves to the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return portOf(server.address())
}

/** The port of a server. Throws if it does not listen on one. */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address.port
}
