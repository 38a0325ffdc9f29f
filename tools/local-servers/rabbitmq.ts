import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Connection } from 'rabbitmq-client'
import { findFreePorts } from './free-ports.ts'
import { makeServerFolder, startServerProcess } from './server-process.ts'

/** Folders of the server itself: the wrapper on PATH may change the user and the folder. */
const PACKAGED = ['/usr/lib/rabbitmq/bin', '/usr/lib/erlang/bin']

/** A RabbitMQ server on loopback with temporary data. A start keeps durable queues and messages. */
export type LocalRabbitMq = Awaited<ReturnType<typeof startLocalRabbitMq>>

/** Starts the installed server as its own node with its own port mapper. */
export async function startLocalRabbitMq() {
  const binaries = findRabbitMqBinaries()
  if (binaries === undefined) throw new Error('RabbitMQ is not installed')
  const folder = await makeServerFolder('rabbitmq')
  const [port = 0, distributionPort = 0, mapperPort = 0] = await findFreePorts(3)
  const env = environmentOf(folder.path, distributionPort, mapperPort)
  const settings = [
    `listeners.tcp.1 = 127.0.0.1:${port}`,
    'disk_free_limit.absolute = 64MB',
    'log.console = true',
  ]
  await writeFile(join(folder.path, 'rabbitmq.conf'), `${settings.join('\n')}\n`)
  await writeFile(join(folder.path, 'enabled_plugins'), '[].')
  const start = { lastSignal: 'SIGKILL' } as const
  // A port mapper that the node starts itself would outlive this process.
  const mapper = await startServerProcess({
    ...{ ...start, name: 'epmd', command: binaries.mapper, options: { env } },
    args: ['-port', String(mapperPort), '-address', '127.0.0.1', '-d'],
    isReady: (line) => line.includes('epmd running'),
  })
  const server = await startServerProcess({
    ...{ ...start, name: 'RabbitMQ', command: binaries.server, options: { cwd: folder.path, env } },
    args: [],
    isReady: (line) => line.includes('Server startup complete'),
  })
  return Object.assign(server, {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    stop: () => server.end('SIGTERM'),
    kill: () => server.killAll(),
    remove: async () => {
      server.thaw()
      await server.killAll()
      await mapper.end('SIGTERM')
      folder.remove()
    },
  })
}

function environmentOf(folder: string, distributionPort: number, mapperPort: number): Record<string, string> {
  return {
    PATH: [process.env.PATH, ...PACKAGED].join(delimiter),
    LANG: 'C.UTF-8',
    HOME: folder,
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_NODENAME: `judge-${mapperPort}@localhost`,
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    ERL_EPMD_PORT: String(mapperPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
  }
}

/** The server's start script and epmd; undefined if one is missing. */
export function findRabbitMqBinaries(): { readonly server: string; readonly mapper: string } | undefined {
  const folders = [...PACKAGED, ...(process.env.PATH ?? '').split(delimiter)]
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  const [server, mapper] = [find('rabbitmq-server'), find('epmd')]
  return server && mapper ? { server, mapper } : undefined
}

async function withBroker<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new Connection({ url, retryLow: 50 })
  try {
    await connection.onConnect(10_000)
    return await work(connection)
  } finally {
    await connection.close()
  }
}

export const deleteQueue = (url: string, queue: string): Promise<unknown> =>
  withBroker(url, (connection) => connection.queueDelete({ queue }))

/** Deletes the messages that wait in a queue. Returns their number. */
export const purgeQueue = (url: string, queue: string): Promise<number> =>
  withBroker(url, async (connection) => (await connection.queuePurge({ queue })).messageCount)
