import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { findFreePorts } from './free-ports.ts'
import { purgeQueue } from './queue.ts'
import { makeServerFolder } from './server-folder.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const READY_WITHIN_MS = 90_000

/** Where packages put the server itself: what they have on PATH may run it as another user, elsewhere. */
const PACKAGED = ['/usr/lib/rabbitmq/bin', '/usr/lib/erlang/bin']

/** A RabbitMQ server of its own, on loopback, with data that goes with it. */
export interface LocalRabbitMq {
  readonly url: string
  /** On the same data: durable queues and persistent messages are there again. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Kills it (SIGKILL) with all that it has started. */
  kill(): Promise<void>
  /** Throws away what waits in a queue; answers how many messages that were. */
  purge(queue: string): Promise<number>
  /** Stops it in its tracks (SIGSTOP), until `thaw`. */
  freeze(): void
  thaw(): void
  remove(): Promise<void>
}

/** Starts the installed server as a node of its own, with a port mapper of its own that ends with it. */
export async function startLocalRabbitMq(): Promise<LocalRabbitMq> {
  const binaries = findRabbitMqBinaries()
  if (binaries === undefined) throw new Error('RabbitMQ is not installed')
  const folder = await makeServerFolder('rabbitmq')
  const [port, distributionPort, mapperPort] = await findFreePorts(3)
  await writeFile(join(folder.path, 'rabbitmq.conf'), configurationOf(Number(port)))
  await writeFile(join(folder.path, 'enabled_plugins'), '[].\n')
  const env = environmentOf(folder.path, Number(distributionPort), Number(mapperPort))
  // Nodes find each other through epmd. The machine's own would outlive us where the node had started it, so it gets one.
  const mapper = await startServerProcess({
    name: 'epmd',
    command: binaries.mapper,
    args: ['-port', String(mapperPort), '-address', '127.0.0.1', '-d'],
    options: { env },
    isReady: (line) => line.includes('epmd running'),
    readyWithinMs: READY_WITHIN_MS,
    lastSignal: 'SIGKILL',
  })
  const start = () =>
    startServerProcess({
      name: 'RabbitMQ',
      command: binaries.server,
      args: [],
      options: { cwd: folder.path, env },
      isReady: (line) => line.includes('Server startup complete'),
      readyWithinMs: READY_WITHIN_MS,
      lastSignal: 'SIGKILL',
    })
  const remove = async () => {
    await mapper.end('SIGTERM')
    await folder.remove()
  }
  return describeServer(`amqp://guest:guest@127.0.0.1:${port}`, start, remove, await start())
}

function describeServer(
  url: string,
  startAgain: () => Promise<ServerProcess>,
  removeRest: () => Promise<void>,
  started: ServerProcess,
): LocalRabbitMq {
  let server = started
  return {
    url,
    start: async () => {
      if (!server.isRunning()) server = await startAgain()
    },
    stop: async () => {
      await server.end('SIGTERM')
    },
    kill: () => server.killAll(),
    purge: (queue) => purgeQueue(url, queue),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    remove: async () => {
      server.thaw()
      await server.killAll()
      await removeRest()
    },
  }
}

function configurationOf(port: number): string {
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${port}`,
    'disk_free_limit.absolute = 64MB',
    'log.console = true',
  ]
  return `${lines.join('\n')}\n`
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

/** The server's own start script and epmd; undefined where one is missing. */
export function findRabbitMqBinaries(): { readonly server: string; readonly mapper: string } | undefined {
  const folders = [...PACKAGED, ...(process.env.PATH ?? '').split(delimiter)]
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  const server = find('rabbitmq-server')
  const mapper = find('epmd')
  return server === undefined || mapper === undefined ? undefined : { server, mapper }
}
