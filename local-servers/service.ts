import { fileURLToPath } from 'node:url'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const fromSource = [
  '--import',
  'tsx',
  '--conditions=source',
  fileURLToPath(new URL('../src/main.ts', import.meta.url)),
]
const asBuilt = ['--max-semi-space-size=8', fileURLToPath(new URL('../dist/src/main.js', import.meta.url))]

export interface LocalServiceOptions {
  /** Its environment, beside PATH and a free port of the loopback address. */
  readonly variables: Readonly<Record<string, string>>
  /** What `npm start` runs, which must have been built; from source unless given. */
  readonly isBuilt?: boolean
  /** Hears every line that it prints. */
  readonly onLine?: (line: string) => void
}

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
    args: isBuilt ? asBuilt : fromSource,
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

function readUrl(line: string): string | undefined {
  if (!line.includes('"listening"')) return undefined
  const { msg, url } = Object(JSON.parse(line))
  return msg === 'listening' && typeof url === 'string' ? url : undefined
}
