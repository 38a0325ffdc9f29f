import { once } from 'node:events'
import net from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** The accepted connections, including those reset while cut. */
  readonly connectionCount: number
  /** All bytes that clients have sent. */
  sent(): Buffer
  /** Resets every connection, and every new one. */
  cut(): void
  /** Accepts connections again. */
  restore(): void
  /** Withholds the server's bytes on the open connections. */
  mute(): void
  /** Withholds all bytes in both directions; still accepts connections. */
  freeze(): void
  /** Carries all bytes again, withheld ones first. */
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

function withhold({ client, server }: Pair): void {
  client.unpipe(server).pause()
  server.unpipe(client).pause()
}

/** Starts a proxy in front of a server on a free loopback port. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
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
    if (isFrozen) withhold(pair)
    else carry(pair)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const resetAll = () => {
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
      resetAll()
    },
    restore: () => {
      isCut = false
    },
    mute: () => {
      for (const { client, server } of pairs) server.unpipe(client)
    },
    freeze: () => {
      isFrozen = true
      for (const pair of pairs) withhold(pair)
    },
    thaw: () => {
      isFrozen = false
      for (const pair of pairs) carry(pair)
    },
    close: async () => {
      resetAll()
      listener.close()
      await once(listener, 'close')
    },
  }
}
