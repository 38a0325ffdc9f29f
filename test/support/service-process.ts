import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from './app.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))

export interface ServiceProcess {
  readonly url: string
  /** Sends a signal and waits until the process has ended; answers its exit code, null after a signal that ends it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

/** Starts the real service in a process of its own, on a free port, and waits until it listens. */
export async function startServiceProcess(variables: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', main], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      JWT_SIGNING_SECRET,
      JUDGE_PASSWORD,
      WEB_BRIDGE_SECRET,
      HOST: '127.0.0.1',
      PORT: '0',
      BASIC_REGISTRATION_ENABLED: 'true',
      ADMIN_EMAILS: 'root@example.org',
      RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
      RATE_LIMIT_ACCOUNTS: '1000000/1000000',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  const url = await readUrl(child)
  return {
    url,
    end: async (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

async function readUrl(child: ChildProcess): Promise<string> {
  const said: string[] = []
  child.stderr?.on('data', (chunk) => said.push(String(chunk)))
  if (child.stdout === null) throw new Error('the child has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line)
    const entry: unknown = line.startsWith('{') ? JSON.parse(line) : {}
    const { msg, url } = Object(entry)
    if (msg === 'listening' && typeof url === 'string') {
      child.stdout.resume()
      return url
    }
  }
  throw new Error(`the service did not start: ${said.join('\n')}`)
}
