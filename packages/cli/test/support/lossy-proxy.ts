import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A proxy that can lose a request or its response, and let something happen before a request. */
export interface LossyProxy {
  readonly url: string
  /** The writing requests so far, `POST /v1/events`. */
  readonly writes: readonly string[]
  /**
   * Breaks the connection of the n-th writing request from now, before or after the service has it.
   */
  loseWrite(n: number, when: 'before' | 'after'): void
  /** Runs an action before the service gets the n-th writing request from now. */
  beforeWrite(n: number, action: () => Promise<unknown>): void
}

/** Starts the proxy for one test. */
export async function startLossyProxy(serviceUrl: string): Promise<LossyProxy> {
  const writes: string[] = []
  let loss: { at: number; when: 'before' | 'after' } | undefined
  let interlude: { at: number; action: () => Promise<unknown> } | undefined
  const server = createServer(async (request, response) => {
    const { method = '', headers, url = '' } = request
    if (method !== 'GET') writes.push(`${method} ${url}`)
    if (method !== 'GET' && writes.length === interlude?.at) await interlude.action()
    const isLost = method !== 'GET' && writes.length === loss?.at
    if (isLost && loss?.when === 'before') {
      response.socket?.destroy()
      return
    }
    const onward = forward(`${serviceUrl}${url}`, { method, headers }, (received) => {
      if (isLost) void text(received).then(() => response.socket?.destroy())
      else passOn(received, response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    url: `http://127.0.0.1:${Object(server.address()).port}`,
    writes,
    loseWrite: (n, when) => {
      loss = { at: writes.length + n, when }
    },
    beforeWrite: (n, action) => {
      interlude = { at: writes.length + n, action }
    },
  }
}

function passOn(received: IncomingMessage, response: ServerResponse): void {
  response.writeHead(received.statusCode ?? 0, received.headers)
  received.pipe(response)
}
