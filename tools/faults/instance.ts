import { findFreePorts } from '../local-servers/free-ports.ts'
import { startLocalService } from '../local-servers/service.ts'

export type Instance = Awaited<ReturnType<typeof startInstance>>

const ERRORS_KEPT = 10

export async function startInstance(
  variables: Readonly<Record<string, string>>,
  args: readonly string[] = [],
) {
  const [port] = await findFreePorts(1)
  const errors: string[] = []
  const responses = new Map<string, number>()
  const onLine = (line: string) => {
    const { level, method, route, status } = parseLine(line)
    if (!line.startsWith('{') || Number(level) >= 50) errors.push(line.slice(0, 500))
    if (errors.length > ERRORS_KEPT) errors.shift()
    const key = `${method} ${route}`
    if (status === 200) responses.set(key, (responses.get(key) ?? 0) + 1)
  }
  const service = await startLocalService({ variables: { ...variables, PORT: String(port) }, args, onLine })
  return Object.assign(service, {
    kill: () => service.end('SIGKILL'),
    errors: () => errors,
    /** The number of 200 responses of a route, given as method and pattern. */
    countResponses: (route: string) => responses.get(route) ?? 0,
  })
}

// A killed process may leave half a line.
function parseLine(line: string): { level?: unknown; method?: unknown; route?: unknown; status?: unknown } {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}
