import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished } from 'vitest'

/** Opens a connection that stays open until the server ends it or the test finishes. */
export async function connectRaw(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const received: Buffer[] = []
  let ended = false
  const end = () => {
    ended = true
  }
  socket.on('data', (chunk) => received.push(chunk))
  // The server may also end the connection with a reset, after a request that it did not read fully.
  socket.on('end', end).on('error', end)
  const text = () => Buffer.concat(received).toString('utf8')
  return {
    send: (bytes: string | Buffer) => void socket.write(bytes),
    reset: () => void socket.resetAndDestroy(),
    /** Waits until everything received matches; resolves to it. */
    untilReceived: async (pattern: RegExp) => {
      await expect.poll(() => ended || pattern.test(text())).toBe(true)
      expect(text()).toMatch(pattern)
      return text()
    },
    /** Waits until the server ends the connection; resolves to everything received. */
    untilEnded: async () => {
      await expect.poll(() => ended).toBe(true)
      return text()
    },
  }
}

export const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`

/** Sends bytes on a new connection; resolves to what the server sends until it matches. */
export async function exchange(port: number, bytes: string | Buffer, pattern = /\r\n\r\n{.*}$/s) {
  const client = await connectRaw(port)
  client.send(bytes)
  return client.untilReceived(pattern)
}

/** Sends bytes on a new connection; resolves to the server’s bytes until it ends. */
export async function exchangeUntilEnded(port: number, bytes: string | Buffer): Promise<string> {
  const client = await connectRaw(port)
  client.send(bytes)
  return client.untilEnded()
}

export const bodyOf = (received: string): unknown =>
  JSON.parse(received.slice(received.lastIndexOf('\r\n\r\n') + 4))

export const statusesOf = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
