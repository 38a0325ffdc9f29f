import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePorts } from '../local-servers/free-ports.ts'
import type { Secrets } from '../local-servers/secrets.ts'
import { productionNodeOptions } from '../local-servers/service.ts'
import type { QueueServer } from './servers.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const START_WITHIN_MS = 30_000

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
  const child = spawn(process.execPath, [...productionNodeOptions(), 'dist/src/main.js'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
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
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    await ended
    process.removeListener('exit', killNow)
  }
  await waitUntilReady(`http://127.0.0.1:${port}/ready`, () => child.exitCode !== null)
  return { pid: Number(child.pid), port, metricsPort, stop }
}

async function waitUntilReady(url: string, hasEnded: () => boolean): Promise<void> {
  const untilMs = performance.now() + START_WITHIN_MS
  while (performance.now() < untilMs) {
    if (hasEnded()) throw new Error('the service ended at its start; `npm start` says why')
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await wait(50)
  }
  throw new Error(`the service was not ready within ${START_WITHIN_MS / 1000} s`)
}
