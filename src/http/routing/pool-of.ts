import type { FastifyRequest } from 'fastify'
import type { PoolName } from '../../db/pools.ts'
import { isList, type Route } from './route.ts'

/** The longest body for the quick pool; problems, their tests and verdicts may be much longer. */
export const QUICK_BODY_BYTES = 1024 * 1024

/** The connection pool for a request, by its headers and query alone. */
export function poolOf(route: Route, { headers, query }: FastifyRequest): PoolName {
  if (route.pool !== undefined) return route.pool
  if (route.bodyLimit !== 'body' && !(Number(headers['content-length']) <= QUICK_BODY_BYTES)) return 'bulk'
  const isLong = route.isHeavy || (isList(route) && !('limit' in Object(query)))
  return isLong ? 'lists' : 'quick'
}
