import { type ErrorKind, errors } from './errors.ts'
import type { Route } from './route.ts'

const TOKEN_ERRORS: ErrorKind[] = ['UNAUTHORIZED', 'MALFORMED_TOKEN', 'TOKEN_EXPIRED', 'ACCOUNT_DELETED']

/** Every refusal that a route can answer: those of its policy, limit and schema, its own, and those of any route. */
export function refusalsOf(route: Route): ErrorKind[] {
  const hasSecret = route.policy === 'bridge secret' || route.policy === 'judge password'
  const hasRole =
    route.policy === 'admin' || route.policy === 'judge or admin' || route.policy === 'self or admin'
  const kinds: ErrorKind[] = [
    ...(hasSecret ? (['UNAUTHORIZED'] as const) : route.policy === 'none' ? [] : TOKEN_ERRORS),
    ...(hasRole ? (['FORBIDDEN'] as const) : []),
    ...(route.limit === 'none' ? [] : (['RATE_LIMIT_EXCEEDED'] as const)),
    ...(route.method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    // What is not well-formed HTTP is a 400 on any route.
    'VALIDATION',
    ...(route.takesIdempotencyKey ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...route.refusals,
    'INTERNAL',
    'UNAVAILABLE',
  ]
  return [...new Set(kinds)]
}

/** The route table as Markdown: who may call what, how often, and what it answers. */
export function describeRoutes(routes: readonly Route[]): string {
  const rows = routes.map((route) => {
    const success = [...Object.keys(route.responses), ...(route.hasEntityTag ? ['304'] : [])]
    const refused = [...new Set(refusalsOf(route).map((kind) => errors[kind].status))].sort((a, b) => a - b)
    const limit = route.limit === 'none' ? '' : `${route.limit.rate}, by ${route.limit.by}`
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
    return `| ${route.method} | \`${path}\` | ${route.policy} | ${limit} | ${success.join(', ')} | ${refused.join(', ')} |`
  })
  return [
    '| Method | Path | Who may call | Rate limit | Answers | Refusals |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
