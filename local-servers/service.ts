import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const fromSource = [
  '--import',
  'tsx',
  '--conditions=source',
  fileURLToPath(new URL('../src/main.ts', import.meta.url)),
]
const built = fileURLToPath(new URL('../dist/src/main.js', import.meta.url))

/** How to start the service. */
export interface LocalServiceOptions {
  /** Its environment, beside PATH and a free port of the loopback address. */
  readonly variables: Readonly<Record<string, string>>
  /** What `npm start` runs, which must have been built; from source unless given. */
  readonly isBuilt?: boolean
  /** Hears every line that it prints. */
  readonly onLine?: (line: string) => void
}

/** The service in a process of its own. */
export interface LocalService extends ServerProcess {
  readonly url: string
}

/** Starts the whole service in a process of its own, and waits until it listens. Throws with what it said where it does not. */
export async function startLocalService({
  variables,
  isBuilt,
  onLine,
}: LocalServiceOptions): Promise<LocalService> {
  let url = ''
  const server = await startServerProcess({
    name: 'the service',
    command: process.execPath,
    args: isBuilt ? [...productionNodeOptions(), built] : fromSource,
    options: { cwd: root, env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...variables } },
    isReady: (line) => {
      onLine?.(line)
      if (url === '') url = readUrl(line) ?? ''
      return url !== ''
    },
    readyWithinMs: 60_000,
    lastSignal: 'SIGKILL',
  })
  return { ...server, url }
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
