import { findFreePorts } from '../local-servers/free-ports.ts'
import { type LocalService, startLocalService } from '../local-servers/service.ts'

/** One instance of the service, on a port that it keeps. */
export interface Instance {
  readonly url: string
  /** Kills it (SIGKILL). */
  kill(): Promise<void>
  /** As a supervisor does after its end. */
  start(): Promise<void>
  freeze(): void
  thaw(): void
  /** Ends it in order (SIGTERM). */
  stop(): Promise<void>
  /** Its last log lines that are errors. */
  errors(): readonly string[]
  /** How many requests to a route (its method and pattern) it has answered with 200. */
  countAnswers(route: string): number
}

const ERRORS_KEPT = 10

/** Starts the built service. */
export async function startInstance(variables: Readonly<Record<string, string>>): Promise<Instance> {
  const [port] = await findFreePorts(1)
  const errors: string[] = []
  const answers = new Map<string, number>()
  const onLine = (line: string) => {
    const { level, method, route, status } = parseLine(line)
    if (!line.startsWith('{') || Number(level) >= 50) errors.push(line.slice(0, 500))
    if (errors.length > ERRORS_KEPT) errors.shift()
    if (status === 200) answers.set(`${method} ${route}`, (answers.get(`${method} ${route}`) ?? 0) + 1)
  }
  const start = () =>
    startLocalService({ variables: { ...variables, PORT: String(port) }, isBuilt: true, onLine })
  let service: LocalService = await start()
  return {
    url: service.url,
    kill: async () => {
      await service.end('SIGKILL')
    },
    start: async () => {
      service = await start()
    },
    freeze: () => service.freeze(),
    thaw: () => service.thaw(),
    stop: () => service.stop(),
    errors: () => errors,
    countAnswers: (route) => answers.get(route) ?? 0,
  }
}

// A killed process may leave half a line.
function parseLine(line: string): { level?: unknown; method?: unknown; route?: unknown; status?: unknown } {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}
