import type { ErrorKind } from './errors.ts'
import { type Policy, takesBasic } from './policy.ts'
import type { Route } from './route.ts'

const SECRETS: readonly Policy[] = ['bridge secret', 'judge password', 'scoreboard token']
const ROLES: readonly Policy[] = ['admin', 'judge or admin', 'self or admin']
const TOKEN_ERRORS: ErrorKind[] = ['UNAUTHORIZED', 'MALFORMED_TOKEN', 'TOKEN_EXPIRED', 'ACCOUNT_DELETED']

/** Every error of a route: by its policy, limit and schema, its own, and the common ones. */
export function refusalsOf(route: Route): ErrorKind[] {
  const kinds: ErrorKind[] = [
    ...(SECRETS.includes(route.policy)
      ? (['UNAUTHORIZED'] as const)
      : route.policy === 'none'
        ? []
        : TOKEN_ERRORS),
    ...(takesBasic(route.policy) ? (['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'] as const) : []),
    ...(ROLES.includes(route.policy) ? (['FORBIDDEN'] as const) : []),
    ...(route.limit === 'none' ? [] : (['RATE_LIMIT_EXCEEDED'] as const)),
    ...(route.method === 'GET' ? [] : (['PAYLOAD_TOO_LARGE'] as const)),
    // Malformed HTTP gets 400 on every route.
    'VALIDATION',
    ...(route.takesIdempotencyKey ? (['IDEMPOTENCY_KEY_REUSED'] as const) : []),
    ...(route.needsCapabilities ? (['WORKER_TOO_OLD'] as const) : []),
    ...route.refusals,
    'INTERNAL',
    'UNAVAILABLE',
  ]
  return [...new Set(kinds)]
}
