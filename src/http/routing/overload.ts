import type { FastifyRequest } from 'fastify'
import type { PoolName } from '../../db/pools.ts'
import { AppError } from './errors.ts'
import type { Route } from './route.ts'

/** The longest body that takes the quick pool; tests, problems and verdicts may be much longer. */
export const QUICK_BODY_BYTES = 1024 * 1024

/** Which way to the database a request takes, by what it may come to before anything of it is known but its head. */
export function poolOf(route: Route, { headers, query }: FastifyRequest): PoolName {
  if (route.pool !== undefined) return route.pool
  if (route.bodyLimit !== 'body' && !(Number(headers['content-length']) <= QUICK_BODY_BYTES)) return 'bulk'
  const isWholeList = 'after' in Object(Object(route.schema.query).properties) && !('limit' in Object(query))
  return isWholeList ? 'lists' : 'quick'
}

/**
 * The answer, if it comes within `timeoutMs`. Throws UNAVAILABLE; what is under way then ends by the bounds of its pool, and what it writes
 * may be stored: whoever was refused cannot know.
 */
export function answerInTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new AppError('UNAVAILABLE', 'The service has too much to do; try again shortly')),
      timeoutMs,
    )
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
