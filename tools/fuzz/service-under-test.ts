import { readFile } from 'node:fs/promises'
import { startLocalService } from '../local-servers/service.ts'

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
  const alarms: string[] = []
  const service = await startLocalService({
    variables,
    onLine: (line) => {
      if (isAlarming(line, secrets)) alarms.push(line.slice(0, 2000))
    },
  })
  let ending: string | undefined
  void service.ended.then((code) => {
    ending = `it ended with ${code ?? 'a signal'}`
  })
  return {
    url: service.url,
    takeAlarms: () => alarms.splice(0),
    ending: () => ending,
    readResidentMebibytes: () => readResidentMebibytes(service.pid),
    stop: () => service.stop(),
  }
}

/** What is no log entry comes from a crash or from Node itself. */
function isAlarming(line: string, secrets: readonly string[]): boolean {
  if (secrets.some((secret) => line.includes(secret))) return true
  return line.startsWith('{') ? Number(readLevel(line)) >= ERROR_LEVEL : line.trim() !== ''
}

function readLevel(line: string): unknown {
  return Object(JSON.parse(line)).level
}

async function readResidentMebibytes(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024
}
