import { type PrivateServer, servePrivately } from '@judge-data-layer/runtime/private-server'
import { describeError } from '../shared/logger.ts'
import { StartError } from '../shared/start-error.ts'
import type { WorkerMetrics } from './metrics.ts'

/** Where the pages are served, and the variable that says so. */
export interface OperatorsAddress {
  readonly host: string
  readonly port: number
  readonly variable?: 'METRICS_PORT' | 'WORKER_METRICS_PORT'
}

/**
 * Serves `/metrics` and `/health`, without authentication. Undefined without an address. Throws
 * `StartError` if the port cannot be used.
 */
export async function serveOperators(
  address: OperatorsAddress | undefined,
  metrics: WorkerMetrics,
  findFaults: () => readonly string[],
): Promise<PrivateServer | undefined> {
  if (address === undefined) return undefined
  const { host, port, variable = 'METRICS_PORT' } = address
  const pages = {
    '/metrics': async () => ({ status: 200, ...(await metrics.read()) }),
    '/health': async () => {
      const faults = findFaults()
      const body = faults.length === 0 ? { status: 'ok' } : { status: 'unavailable', reasons: faults }
      return { status: faults.length === 0 ? 200 : 503, type: 'application/json', text: JSON.stringify(body) }
    },
  }
  return servePrivately(pages, host, port).catch((err: unknown) => {
    throw new StartError(variable, `${host}:${port} cannot be used: ${describeError(err)}`, err)
  })
}
