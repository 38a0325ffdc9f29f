import { once } from 'node:events'
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { text } from 'node:stream/consumers'

/** Handles a request in place of the service. */
export type Trouble = (response: ServerResponse) => void

/** Starts a proxy. Each of `troubles` handles one request; later requests reach the service. */
export async function startTroubledServer(serviceUrl: string, troubles: Trouble[]) {
  const requests: string[] = []
  const server = await startServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const trouble = troubles.shift()
    if (trouble) trouble(response)
    else passOn(serviceUrl, request, response)
  })
  /** The requests so far, `GET /v1/languages`. */
  return { ...server, requests }
}

/** Starts a server on a free port; `cut` breaks all connections. */
export async function startServer(handle: RequestListener) {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${Object(server.address()).port}`,
    cut: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const respondBadGateway: Trouble = (response) => {
  response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
}

export const breakConnection: Trouble = (response) => {
  response.socket?.destroy()
}

export const neverRespond: Trouble = () => {}

export const respondWith =
  (status: number, headers: Record<string, string>, body: string): Trouble =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }

/** The error body of the service. */
export function refuseWith(status: number, code: string, headers: Record<string, string> = {}): Trouble {
  const body = JSON.stringify({ code, error: 'Refused', message: 'Refused' })
  return respondWith(status, { 'content-type': 'application/json', ...headers }, body)
}

/** Passes a request on to the service, and its response back unless it is lost. */
export function passOn(
  serviceUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
  isLost = false,
): void {
  const { method = '', headers, url = '' } = request
  const onward = forward(`${serviceUrl}${url}`, { method, headers }, (received) => {
    if (isLost) {
      void text(received).then(() => response.socket?.destroy())
      return
    }
    response.writeHead(received.statusCode ?? 0, received.headers)
    received.pipe(response)
  })
  onward.on('error', () => response.destroy())
  // A client that has left is gone for the service too.
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}
