import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findFreePorts } from './free-ports.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const fromSource = [
  '--import',
  'tsx',
  '--conditions=source',
  fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
]
const built = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url))
const STOP_WITHIN_MS = 15_000

/** How to start the service. */
export interface LocalServiceOptions {
  /** Its environment, beside PATH and a free port of the loopback address. */
  readonly variables: Readonly<Record<string, string>>
  /** What `npm start` runs, which must have been built; from source unless given. */
  readonly isBuilt?: boolean
  /** Hears every line that it prints. */
  readonly onLine?: (line: string) => void
  /** Its log goes nowhere, since reading it would take time from what is measured; `onLine` hears nothing then. */
  readonly isLogIgnored?: boolean
}

/** The service in a process of its own. */
export interface LocalService extends ServerProcess {
  readonly url: string
  /** Ends it in order (SIGTERM), a frozen one too; kills it where that takes longer than 15 s. */
  stop(): Promise<void>
}

/** Starts the whole service in a process of its own, and waits until it takes requests. Throws where it does not, with what it said. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { server, url } = options.isLogIgnored ? await startUnheard(options) : await startHeard(options)
  const stop = async () => {
    server.thaw()
    await server.end('SIGTERM', STOP_WITHIN_MS)
  }
  return { ...server, url, stop }
}

async function startHeard(options: LocalServiceOptions) {
  let url = ''
  const server = await startServerProcess({
    ...describeStart(options, '0'),
    isReady: (line) => {
      options.onLine?.(line)
      if (url === '') url = readUrl(line) ?? ''
      return url !== ''
    },
  })
  return { server, url }
}

async function startUnheard(options: LocalServiceOptions) {
  const port = options.variables.PORT ?? String((await findFreePorts(1))[0])
  const url = `http://127.0.0.1:${port}`
  const askReady = () =>
    fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  return { server: await startServerProcess({ ...describeStart(options, port), askReady }), url }
}

function describeStart({ variables, isBuilt }: LocalServiceOptions, port: string) {
  return {
    name: 'the service',
    command: process.execPath,
    args: isBuilt ? [...productionNodeOptions(), built] : fromSource,
    options: { cwd: root, env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: port, ...variables } },
    readyWithinMs: 60_000,
    lastSignal: 'SIGKILL',
  } as const
}

/** The options that `npm start` gives to Node. Throws where package.json has no such script. */
export function productionNodeOptions(): string[] {
  const { scripts }: { scripts?: unknown } = Object(JSON.parse(readFileSync(`${root}/package.json`, 'utf8')))
  const { start }: { start?: unknown } = Object(scripts)
  if (typeof start !== 'string') throw new Error('package.json must have the script "start"')
  return start.split(' ').filter((word) => word.startsWith('--'))
}

function readUrl(line: string): string | undefined {
  if (!line.includes('"listening"')) return undefined
  const { msg, url }: { msg?: unknown; url?: unknown } = Object(JSON.parse(line))
  return msg === 'listening' && typeof url === 'string' ? url : undefined
}
