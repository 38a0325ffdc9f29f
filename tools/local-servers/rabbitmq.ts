import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { findFreePorts } from './free-ports.ts'
import { makeServerFolder } from './server-folder.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** Folders of the server itself: the wrapper on PATH may change the user and the folder. */
const PACKAGED = ['/usr/lib/rabbitmq/bin', '/usr/lib/erlang/bin']

/** A RabbitMQ server on loopback with temporary data. A start keeps durable queues and messages. */
export interface LocalRabbitMq extends Pick<ServerProcess, 'start' | 'freeze' | 'thaw'> {
  readonly url: string
  stop(): Promise<void>
  /** Kills the server and its children (SIGKILL). */
  kill(): Promise<void>
  remove(): Promise<void>
}

/** Starts the installed server as its own node with its own port mapper. */
export async function startLocalRabbitMq(): Promise<LocalRabbitMq> {
  const binaries = findRabbitMqBinaries()
  if (binaries === undefined) throw new Error('RabbitMQ is not installed')
  const folder = await makeServerFolder('rabbitmq')
  const [port = 0, distributionPort = 0, mapperPort = 0] = await findFreePorts(3)
  const env = environmentOf(folder.path, distributionPort, mapperPort)
  await writeFile(join(folder.path, 'rabbitmq.conf'), configurationOf(port))
  await writeFile(join(folder.path, 'enabled_plugins'), '[].')
  const start = { readyWithinMs: 90_000, lastSignal: 'SIGKILL' } as const
  // A port mapper that the node starts itself would outlive this process.
  const mapper = await startServerProcess({
    ...start,
    name: 'epmd',
    command: binaries.mapper,
    args: ['-port', String(mapperPort), '-address', '127.0.0.1', '-d'],
    options: { env },
    isReady: (line) => line.includes('epmd running'),
  })
  const server = await startServerProcess({
    ...start,
    name: 'RabbitMQ',
    command: binaries.server,
    args: [],
    options: { cwd: folder.path, env },
    isReady: (line) => line.includes('Server startup complete'),
  })
  return Object.assign(server, {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    stop: async () => {
      await server.end('SIGTERM')
    },
    kill: () => server.killAll(),
    remove: async () => {
      server.thaw()
      await server.killAll()
      await mapper.end('SIGTERM')
      folder.remove()
    },
  })
}

const configurationOf = (port: number) => `listeners.tcp.1 = 127.0.0.1:${port}
disk_free_limit.absolute = 64MB
log.console = true
`

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
  const server = find('rabbitmq-server')
  const mapper = find('epmd')
  return server === undefined || mapper === undefined ? undefined : { server, mapper }
}
