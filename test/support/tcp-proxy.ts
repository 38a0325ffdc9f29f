import { once } from 'node:events'
import net from 'node:net'

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
export async function startTcpProxy(target: { host: string; port: number }) {
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
    /** The accepted connections, including those reset while cut. */
    get connectionCount() {
      return connectionCount
    },
    /** All bytes that clients have sent. */
    sent: () => Buffer.concat(chunks),
    /** Resets every connection, and every new one. */
    cut: () => {
      isCut = true
      resetAll()
    },
    /** Accepts connections again. */
    restore: () => {
      isCut = false
    },
    /** Withholds the server's bytes on the open connections. */
    mute: () => {
      for (const { client, server } of pairs) server.unpipe(client)
    },
    /** Withholds all bytes in both directions; still accepts connections. */
    freeze: () => {
      isFrozen = true
      for (const pair of pairs) withhold(pair)
    },
    /** Carries all bytes again, withheld ones first. */
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
