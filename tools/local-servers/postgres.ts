import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePorts } from './free-ports.ts'
import { makeServerFolder, type Owner } from './server-folder.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const READY_WITHIN_MS = 60_000
const PACKAGED = '/usr/lib/postgresql'

/** A PostgreSQL server of its own, on loopback, with data that goes with it. */
export interface LocalPostgres {
  readonly url: string
  start(): Promise<void>
  /** `fast` ends its connections and closes in order, `immediate` leaves the work to the recovery of the next start. */
  stop(how: 'fast' | 'immediate'): Promise<void>
  /** Stops the server and each of its processes in their tracks (SIGSTOP), until `thaw`. */
  freeze(): void
  thaw(): void
  /** CPU time of the server and its processes since its last start, those that have ended included; 0 while it is stopped. */
  readCpuMs(): number
  remove(): Promise<void>
}

/** Makes a new cluster from the installed binaries and starts it; `settings` are those of postgresql.conf. */
export async function startLocalPostgres(
  options: { readonly settings?: Readonly<Record<string, string>> } = {},
): Promise<LocalPostgres> {
  const binaries = findPostgresBinaries()
  if (binaries === undefined) throw new Error('PostgreSQL is not installed (PG_BIN_DIR names its binaries)')
  const owner = findOwner()
  const folder = await makeServerFolder('postgres', owner)
  const data = join(folder.path, 'data')
  const identity = { ...owner, cwd: folder.path }
  const initialise = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N']
  await promisify(execFile)(join(binaries, 'initdb'), initialise, identity)
  const [port] = await findFreePorts(1)
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder.path,
    lc_messages: 'C',
    logging_collector: 'off',
    log_destination: 'stderr',
    ...options.settings,
  }
  const start = () =>
    startServerProcess({
      name: 'PostgreSQL',
      command: join(binaries, 'postgres'),
      args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      options: identity,
      isReady: (line) => line.includes('database system is ready to accept connections'),
      readyWithinMs: READY_WITHIN_MS,
      lastSignal: 'SIGQUIT',
    })
  return describeServer(`postgres://postgres@127.0.0.1:${port}/postgres`, start, folder.remove, await start())
}

function describeServer(
  url: string,
  startAgain: () => Promise<ServerProcess>,
  removeFolder: () => Promise<void>,
  started: ServerProcess,
): LocalPostgres {
  let server = started
  return {
    url,
    start: async () => {
      if (!server.isRunning()) server = await startAgain()
    },
    stop: async (how) => {
      await server.end(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    },
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    readCpuMs: () => server.readCpuMs(),
    remove: async () => {
      server.thaw()
      await server.end('SIGQUIT')
      await removeFolder()
    },
  }
}

/** The folder of `postgres` and `initdb`: PG_BIN_DIR, else the newest packaged, else on PATH; undefined without one. */
export function findPostgresBinaries(): string | undefined {
  const { PG_BIN_DIR, PATH = '' } = process.env
  const packaged = existsSync(PACKAGED) ? readdirSync(PACKAGED) : []
  const newestFirst = packaged.sort((one, other) => Number(other) - Number(one))
  const folders = PG_BIN_DIR
    ? [PG_BIN_DIR]
    : [...newestFirst.map((version) => join(PACKAGED, version, 'bin')), ...PATH.split(delimiter)]
  return folders.find((folder) => ['postgres', 'initdb'].every((name) => existsSync(join(folder, name))))
}

/** PostgreSQL refuses to run as root; its package brings a user for it. */
function findOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
