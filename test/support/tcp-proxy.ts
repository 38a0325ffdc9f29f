import { once } from 'node:events'
import net from 'node:net'
import { onTestFinished } from 'vitest'
import { listen } from '../../tools/local-servers/free-ports.ts'

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

/** Starts a proxy to the server of `url`, which closes with the test. Resolves to both. */
export async function startProxy(url: string) {
  const proxied = new URL(url)
  const defaultPort = proxied.protocol === 'amqp:' ? 5672 : 5432
  const proxy = await startTcpProxy({ host: proxied.hostname, port: Number(proxied.port || defaultPort) })
  onTestFinished(() => proxy.close())
  proxied.host = `127.0.0.1:${proxy.port}`
  return { proxy, url: proxied.href }
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
  const port = await listen(listener)
  const resetAll = () => {
    for (const { client } of pairs) client.resetAndDestroy()
  }
  return {
    port,
    /** The accepted connections, including those reset while cut. */
    get connectionCount() {
      return connectionCount
    },
    sent: () => Buffer.concat(chunks),
    /** Resets every connection, and every new one. */
    cut: () => {
      isCut = true
      resetAll()
    },
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
