import { once } from 'node:events'
import net from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Connections taken, those refused while cut included. */
  readonly connectionCount: number
  /** All bytes that clients have sent. */
  sent(): Buffer
  /** Breaks every connection and refuses new ones. */
  cut(): void
  /** Takes connections again. */
  restore(): void
  /** Withholds what the server answers, on the connections that are open. */
  mute(): void
  /** Carries nothing any more in either direction, on the connections that are open and on new ones, which it takes. */
  freeze(): void
  /** Carries everything again, what was held back first. */
  thaw(): void
  close(): Promise<void>
}

interface Pair {
  readonly client: net.Socket
  readonly server: net.Socket
}

function carry({ client, server }: Pair): void {
  client.pipe(server)
  server.pipe(client)
}

function holdUp({ client, server }: Pair): void {
  client.unpipe(server).pause()
  server.unpipe(client).pause()
}

/** A proxy on a free loopback port in front of a real server, to take it away and give it back. */
export async function startTcpProxy(target: {
  readonly host: string
  readonly port: number
}): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  const chunks: Buffer[] = []
  let isCut = false
  let isFrozen = false
  let connectionCount = 0
  const listener = net.createServer((client) => {
    connectionCount += 1
    client.on('error', () => {})
    if (isCut) return void client.resetAndDestroy()
    const server = net.connect(target)
    const pair = { client, server }
    pairs.add(pair)
    server.on('error', () => client.destroy())
    server.on('close', () => client.destroy())
    client.on('close', () => {
      server.destroy()
      pairs.delete(pair)
    })
    client.on('data', (chunk: Buffer) => void chunks.push(chunk))
    if (isFrozen) holdUp(pair)
    else carry(pair)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const breakAll = () => {
    for (const { client } of pairs) client.resetAndDestroy()
  }
  return {
    port: address.port,
    get connectionCount() {
      return connectionCount
    },
    sent: () => Buffer.concat(chunks),
    cut: () => {
      isCut = true
      breakAll()
    },
    restore: () => {
      isCut = false
    },
    mute: () => {
      for (const { client, server } of pairs) server.unpipe(client)
    },
    freeze: () => {
      isFrozen = true
      for (const pair of pairs) holdUp(pair)
    },
    thaw: () => {
      isFrozen = false
      for (const pair of pairs) carry(pair)
    },
    close: async () => {
      breakAll()
      listener.close()
      await once(listener, 'close')
    },
  }
}
