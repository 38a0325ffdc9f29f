import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/**
 * `findFreePorts` chooses from this range. Systems take the ports of connections, and of servers on
 * port 0, from a higher range: such a port may be in use again at any moment.
 */
const FIRST_PORT = 10_000
const LAST_PORT = 32_767

/** Finds `count` different free ports of the loopback address, for servers that start later. */
export async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const started = once(server.listen(port, '127.0.0.1'), 'listening')
  const isListening = await started.then(
    () => true,
    () => false,
  )
  if (isListening) await once(server.close(), 'close')
  return isListening
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
