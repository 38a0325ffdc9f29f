import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/** A response of a private server. */
export interface Page {
  readonly status: number
  readonly type: string
  readonly text: string
}

export interface PrivateServer {
  /** For example `http://127.0.0.1:9100`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the pages for operators, such as `/metrics`, on a port of their own, without
 * authentication: keep the port private. Rejects if it cannot listen.
 */
export async function servePrivately(
  pages: Readonly<Record<string, () => Promise<Page>>>,
  host: string,
  port: number,
): Promise<PrivateServer> {
  const paths = new Map(Object.entries(pages))
  const server = createServer((request, response) => {
    const read = paths.get(request.url?.split('?', 1)[0] ?? '')
    if (request.method !== 'GET' || read === undefined) {
      response.writeHead(404).end()
      return
    }
    read().then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: urlOf(server, host),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** For example `http://127.0.0.1:5000`, for a server that listens on `host`. */
export function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
