import { type PrivateServer, servePrivately } from '@judge-data-layer/runtime/private-server'
import type { Metrics } from './metrics.ts'

/** Serves `/metrics` on its own port, without authentication: keep the port private. */
export function serveMetrics(metrics: Metrics, host: string, port: number): Promise<PrivateServer> {
  return servePrivately(
    { '/metrics': async () => ({ status: 200, ...(await metrics.describe()) }) },
    host,
    port,
  )
}
