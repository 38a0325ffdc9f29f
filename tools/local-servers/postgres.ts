import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePorts } from './free-ports.ts'
import { makeServerFolder, type Owner } from './server-folder.ts'
import { startServerProcess } from './server-process.ts'

const PACKAGED = '/usr/lib/postgresql'

/** A PostgreSQL server on loopback with temporary data. */
export type LocalPostgres = Awaited<ReturnType<typeof startLocalPostgres>>

/** Starts a server with new data; the settings override postgresql.conf. */
export async function startLocalPostgres(given: Readonly<Record<string, string>> = {}) {
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
    ...{ listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: folder.path },
    ...{ lc_messages: 'C', logging_collector: 'off', log_destination: 'stderr' },
    ...given,
  }
  const server = await startServerProcess({
    name: 'PostgreSQL',
    command: join(binaries, 'postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    options: identity,
    isReady: (line) => line.includes('database system is ready to accept connections'),
    readyWithinMs: 60_000,
    lastSignal: 'SIGQUIT',
  })
  return Object.assign(server, {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** `fast` closes in order; after `immediate` the next start recovers the data. */
    stop: (how: 'fast' | 'immediate') => server.end(how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    remove: async () => {
      server.thaw()
      await server.end('SIGQUIT')
      folder.remove()
    },
  })
}

/** The folder of `postgres` and `initdb`: PG_BIN_DIR, else the newest package, else on PATH. */
export function findPostgresBinaries(): string | undefined {
  const { PG_BIN_DIR, PATH = '' } = process.env
  const packaged = existsSync(PACKAGED) ? readdirSync(PACKAGED) : []
  const newestFirst = packaged.sort((one, other) => Number(other) - Number(one))
  const folders = PG_BIN_DIR
    ? [PG_BIN_DIR]
    : [...newestFirst.map((version) => join(PACKAGED, version, 'bin')), ...PATH.split(delimiter)]
  return folders.find((folder) => ['postgres', 'initdb'].every((name) => existsSync(join(folder, name))))
}

/** PostgreSQL refuses to run as root; its package creates a user. */
function findOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
