import type { Database } from '../../src/db/database.ts'
import { deleteQueue } from '../local-servers/queue.ts'
import { makeSecrets } from '../local-servers/secrets.ts'
import { startChild } from './child.ts'
import { fill } from './fill.ts'
import type { GeneratorQuestion, GeneratorResponse } from './generator/process.ts'
import { openAdmin, type PostgresServer, type QueueServer } from './servers.ts'
import { type Service, startService } from './service.ts'
import type { Size } from './sizes.ts'
import { openWorld, type World } from './world.ts'

/** A filled database with the production service on it. */
export interface Stage {
  readonly world: World
  readonly databaseUrl: string
  readonly admin: Database
  readonly service: Service
  readonly postgres: PostgresServer
  readonly queue: QueueServer
  readonly fillSeconds: number
  remove(): Promise<void>
}

/** Makes a database of that size, fills it and starts the service on it. */
export async function openStage(
  size: Size,
  servers: { readonly postgres: PostgresServer; readonly queue: QueueServer },
  hasMetrics = false,
): Promise<Stage> {
  const { url, drop } = await servers.postgres.makeDatabase(`judge_bench_${size.name.toLowerCase()}`)
  const admin = openAdmin(url)
  const dispose = async () => {
    await admin.close()
    await drop()
  }
  try {
    const startedMs = performance.now()
    await fill(admin, size)
    const fillSeconds = (performance.now() - startedMs) / 1000
    const secrets = makeSecrets()
    const world = await openWorld(admin, size, secrets)
    const queue = { ...servers.queue, name: `${servers.queue.name}_${size.name}` }
    const service = await startService({ databaseUrl: url, queue, secrets, hasMetrics })
    const remove = async () => {
      await service.stop()
      await dispose()
      if (queue.url !== undefined) await deleteQueue(queue.url, queue.name)
    }
    return { world, databaseUrl: url, admin, service, postgres: servers.postgres, queue, fillSeconds, remove }
  } catch (err) {
    await dispose()
    throw err
  }
}

/** The process that makes the load. */
export const startGenerator = () =>
  startChild<GeneratorQuestion, GeneratorResponse>(import.meta.resolve('./generator/process.ts'))

export type Generator = ReturnType<typeof startGenerator>
