import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePorts } from './free-ports.ts'
import { makeServerFolder, type Owner, startServerProcess } from './server-process.ts'

const PACKAGED = '/usr/lib/postgresql'

export type LocalPostgres = Awaited<ReturnType<typeof startLocalPostgres>>

export type LocalStandby = Awaited<ReturnType<typeof startLocalStandby>>

/** Starts a server with new data; the settings override postgresql.conf. */
export function startLocalPostgres(given: Readonly<Record<string, string>> = {}) {
  return startWith(given, async (folder, identity) => {
    const initialise = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N']
    await run(binary('initdb'), initialise, identity)
  })
}

/** Starts a standby that copies the server of this URL. */
export async function startLocalStandby(url: string) {
  const copy = ['-d', url, '-R', '-c', 'fast', '-X', 'stream']
  const server = await startWith({}, async (folder, identity) => {
    await run(binary('pg_basebackup'), [...copy, '-D', folder], identity)
  })
  const { data } = server
  return Object.assign(server, {
    promote: () => run(binary('pg_ctl'), ['promote', '-w', '-D', data], { ...findOwner(), cwd: data }),
  })
}

async function startWith(
  given: Readonly<Record<string, string>>,
  fill: (folder: string, identity: Partial<Owner> & { readonly cwd: string }) => Promise<void>,
) {
  const owner = findOwner()
  const folder = await makeServerFolder('postgres', owner)
  const data = join(folder.path, 'data')
  const identity = { ...owner, cwd: folder.path }
  await fill(data, identity)
  const [port] = await findFreePorts(1)
  const settings = {
    ...{ listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: folder.path },
    ...{ lc_messages: 'C', logging_collector: 'off', log_destination: 'stderr' },
    ...given,
  }
  const server = await startServerProcess({
    name: 'PostgreSQL',
    command: binary('postgres'),
    args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    options: identity,
    isReady: (line) => /database system is ready to accept (?:read-only )?connections/.test(line),
    lastSignal: 'SIGQUIT',
  })
  return Object.assign(server, {
    data,
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

const run = promisify(execFile)

function binary(name: string): string {
  const folder = findPostgresBinaries()
  if (folder === undefined) throw new Error('PostgreSQL is not installed (PG_BIN_DIR names its binaries)')
  return join(folder, name)
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
