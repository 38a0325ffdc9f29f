import { cpus, loadavg, release, totalmem } from 'node:os'
import type { PostgresServer, QueueServer } from './servers.ts'
import { POOL_SIZE, productionNodeOptions } from './service.ts'

/** What the figures were taken on. */
export function describeMachine(postgres: PostgresServer, queue: QueueServer): Record<string, string> {
  const cores = cpus()
  return {
    processor: `${cores.length} × ${cores[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `Linux ${release()}`,
    node: `${process.version} ${productionNodeOptions().join(' ')}`,
    postgres: postgres.description,
    queue: queue.description,
    'connections of the service to PostgreSQL': String(POOL_SIZE),
    load: loadavg()
      .map((load) => load.toFixed(1))
      .join(', '),
    date: new Date().toISOString().slice(0, 10),
  }
}
