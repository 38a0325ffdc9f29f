import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findFreePorts } from './free-ports.ts'
import { startServerProcess } from './server-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface LocalServiceOptions {
  /** Its environment. PATH is added, and a free port unless PORT is set. */
  readonly variables: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly onLine?: (line: string) => void
  /** Discards the log: to read it would take CPU time from the measurement. */
  readonly isLogIgnored?: boolean
}

export type LocalService = Awaited<ReturnType<typeof startLocalService>>

/** Starts the built service as `npm start` does, and waits until it listens, or throws its log. */
export async function startLocalService(options: LocalServiceOptions) {
  const { variables, args = [], onLine, isLogIgnored } = options
  const port = variables.PORT ?? (isLogIgnored ? String((await findFreePorts(1))[0]) : '0')
  let url = `http://127.0.0.1:${port}`
  const isListening = (line: string) => {
    onLine?.(line)
    if (!line.includes('"listening"')) return false
    url = String(Object(JSON.parse(line)).url)
    return true
  }
  const askReady = async () => (await fetch(`${url}/ready`).catch(() => undefined))?.ok === true
  const server = await startServerProcess({
    ...{ name: 'the service', command: process.execPath, lastSignal: 'SIGKILL' },
    args: [...productionNodeOptions(), `${root}dist/src/main.js`, ...args],
    options: { cwd: root, env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: port, ...variables } },
    ...(isLogIgnored ? { askReady } : { isReady: isListening }),
  })
  /** Ends it in order (SIGTERM), even if it is frozen; kills it if it does not end. */
  const stop = async () => {
    server.thaw()
    await server.end('SIGTERM')
  }
  return Object.assign(server, { url, stop })
}

export function productionNodeOptions(): string[] {
  const start: unknown = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).scripts?.start
  if (typeof start !== 'string') throw new Error('package.json must have the script "start"')
  return start.split(' ').filter((word) => word.startsWith('--'))
}

/** The secrets of a service and its workers, as environment variables. */
export type Secrets = Readonly<Record<'JWT_SIGNING_SECRET' | 'JUDGE_PASSWORD' | 'WEB_BRIDGE_SECRET', string>>

export function makeSecrets(): Secrets {
  const secret = () => randomBytes(24).toString('base64url')
  return { JWT_SIGNING_SECRET: secret(), JUDGE_PASSWORD: secret(), WEB_BRIDGE_SECRET: secret() }
}
