import { loadavg, release } from 'node:os'
import { describeHardware } from '../local-servers/machine.ts'
import { productionNodeOptions } from '../local-servers/service.ts'
import type { PostgresServer, QueueServer } from './servers.ts'
import { POOL_SIZE } from './service.ts'

/** What the figures were taken on. */
export function describeMachine(postgres: PostgresServer, queue: QueueServer): Record<string, string> {
  const { processor, memory, node } = describeHardware()
  return {
    processor,
    memory,
    system: `Linux ${release()}`,
    node: `${node} ${productionNodeOptions().join(' ')}`,
    postgres: postgres.description,
    queue: queue.description,
    'connections of the service to PostgreSQL': String(POOL_SIZE),
    load: loadavg()
      .map((load) => load.toFixed(1))
      .join(', '),
    date: new Date().toISOString().slice(0, 10),
  }
}
