import { findFreePorts } from '../local-servers/free-ports.ts'
import type { Secrets } from '../local-servers/secrets.ts'
import { startLocalService } from '../local-servers/service.ts'
import type { QueueServer } from './servers.ts'

/** The service's own default, so that the ceilings have as many connections. */
export const POOL_SIZE = 10

/** The production service in a process of its own. */
export interface Service {
  readonly pid: number
  readonly port: number
  readonly metricsPort: number
  stop(): Promise<void>
}

/** Starts what `npm start` starts, and waits until it is ready. Its log goes nowhere; rate limits let everything through. */
export async function startService(options: {
  readonly databaseUrl: string
  readonly queue: QueueServer
  readonly secrets: Secrets
  /** Whether it counts what it does; by default it does not. */
  readonly hasMetrics: boolean
}): Promise<Service> {
  const { databaseUrl, queue, secrets, hasMetrics } = options
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const { pid, stop } = await startLocalService({
    isBuilt: true,
    isLogIgnored: true,
    variables: {
      NODE_ENV: 'production',
      PORT: String(port),
      ...(hasMetrics && { METRICS_PORT: String(metricsPort) }),
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      ...(queue.url !== undefined && { AMQP_URL: queue.url, AMQP_QUEUE: queue.name }),
      JWT_SIGNING_SECRET: secrets.jwtSigning,
      JUDGE_PASSWORD: secrets.judgePassword,
      WEB_BRIDGE_SECRET: secrets.webBridge,
      RATE_LIMIT_SUBMISSIONS: '100000000/100000000',
      RATE_LIMIT_ACCOUNTS: '100000000/100000000',
    },
  })
  return { pid, port, metricsPort, stop }
}
