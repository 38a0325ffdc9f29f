import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished } from 'vitest'

export interface RawClient {
  send(bytes: string | Buffer): void
  /** Breaks the connection off without a word of goodbye. */
  reset(): void
  /** Waits until what the server has sent matches, and answers all of it. */
  untilReceived(pattern: RegExp): Promise<string>
  /** Waits until the server has ended the connection, and answers all that it sent. */
  untilEnded(): Promise<string>
}

/** Opens a connection that never ends by itself, whatever the server does. */
export async function connectRaw(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const received: Buffer[] = []
  let ended = false
  const end = () => {
    ended = true
  }
  socket.on('data', (chunk) => received.push(chunk))
  // A reset ends a connection too, for example after an answer to what was never read to its end.
  socket.on('end', end).on('error', end)
  const text = () => Buffer.concat(received).toString('utf8')
  return {
    send: (bytes) => void socket.write(bytes),
    reset: () => void socket.resetAndDestroy(),
    untilReceived: async (pattern) => {
      await expect.poll(() => ended || pattern.test(text()), { timeout: 10_000 }).toBe(true)
      expect(text()).toMatch(pattern)
      return text()
    },
    untilEnded: async () => {
      await expect.poll(() => ended, { timeout: 10_000 }).toBe(true)
      return text()
    },
  }
}

/** The body of a raw answer, parsed. */
export function bodyOf(answer: string): unknown {
  const head = answer.lastIndexOf('\r\n\r\n')
  return JSON.parse(answer.slice(head + 4))
}

/** The head of a request. */
export const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`

/** Sends bytes on a connection of their own until it ends or has an answer; answers the answer. */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  pattern = /\r\n\r\n{.*}$/s,
): Promise<string> {
  const client = await connectRaw(port)
  client.send(bytes)
  return client.untilReceived(pattern)
}
