import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** The level of a log line that says that someone must act. */
const ERROR_LEVEL = 50

export interface ServiceUnderTest {
  readonly url: string
  /** Takes the log lines that are errors, or hold a secret, since it was last asked. */
  takeAlarms(): string[]
  /** Undefined while the process lives, else how it ended. */
  ending(): string | undefined
  /** The memory that the process holds, where the system tells. */
  readResidentMebibytes(): Promise<number | undefined>
  stop(): Promise<void>
}

/** Starts the whole service in a process of its own, and waits until it listens. Throws with what it said where it does not. */
export async function startServiceUnderTest(
  variables: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Promise<ServiceUnderTest> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', main], {
    cwd: root,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let ending: string | undefined
  const ended = once(child, 'exit').then(([code, signal]) => {
    ending = `it ended with ${code ?? signal}`
  })
  const alarms: string[] = []
  const url = await watchLog(child, (line) => {
    if (isAlarming(line, secrets)) alarms.push(line.slice(0, 2000))
  })
  return {
    url,
    takeAlarms: () => alarms.splice(0),
    ending: () => ending,
    readResidentMebibytes: () => readResidentMebibytes(child.pid),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Hands every line to `onLine`; answers the address once the service listens. */
async function watchLog(child: ChildProcess, onLine: (line: string) => void): Promise<string> {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('the service has no output')
  const said: string[] = []
  const listening = new Promise<string | undefined>((resolve) => {
    createInterface({ input: stderr }).on('line', (line) => {
      said.push(line)
      onLine(line)
    })
    createInterface({ input: stdout })
      .on('line', (line) => {
        onLine(line)
        const { msg, url, level } = readEntry(line)
        if (msg === 'listening') resolve(String(url))
        if (Number(level) >= ERROR_LEVEL) said.push(line)
      })
      .on('close', () => resolve(undefined))
  })
  const url = await listening
  if (url === undefined) throw new Error(`The service did not start: ${said.join('\n')}`)
  return url
}

/** What is no log entry comes from a crash or from Node itself. */
function isAlarming(line: string, secrets: readonly string[]): boolean {
  if (secrets.some((secret) => line.includes(secret))) return true
  return line.startsWith('{') ? Number(readEntry(line).level) >= ERROR_LEVEL : line.trim() !== ''
}

function readEntry(line: string): { msg?: unknown; url?: unknown; level?: unknown } {
  return line.startsWith('{') ? JSON.parse(line) : {}
}

async function readResidentMebibytes(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024
}
