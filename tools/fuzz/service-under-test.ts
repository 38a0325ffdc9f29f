import { readResidentMebibytes } from '../local-servers/machine.ts'
import { startLocalService } from '../local-servers/service.ts'

const ERROR_LEVEL = 50

export interface ServiceUnderTest {
  readonly url: string
  /** New log lines that are errors or contain a secret, and the end of the process. */
  takeAlarms(): string[]
  /** NaN after the end. */
  readResidentMebibytes(): number
  stop(): Promise<void>
}

/** Starts the service as a process. */
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
  const ending: string[] = []
  void service.ended.then((code) => ending.push(`the service ended with ${code ?? 'a signal'}`))
  return {
    url: service.url,
    takeAlarms: () => [...alarms.splice(0).map((line) => `in the log: ${line}`), ...ending],
    readResidentMebibytes: () => readResidentMebibytes(service.pid),
    stop: () => service.stop(),
  }
}

/** Output that is not JSON comes from a crash or from Node.js. */
function isAlarming(line: string, secrets: readonly string[]): boolean {
  if (secrets.some((secret) => line.includes(secret))) return true
  return line.startsWith('{') ? Number(Object(JSON.parse(line)).level) >= ERROR_LEVEL : line.trim() !== ''
}
