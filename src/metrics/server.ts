import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.ts'

export interface MetricsServer {
  readonly url: string
  close(): Promise<void>
}

/** Serves `/metrics` on its own port, without authentication: keep the port private. */
export async function serveMetrics(metrics: Metrics, host: string, port: number): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.describe().then(
      ({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    url: `${urlOf(server, host)}/metrics`,
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
