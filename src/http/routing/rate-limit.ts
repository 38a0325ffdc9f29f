import { LRUCache } from 'lru-cache'
import type { Rate } from '../../config/config.ts'

const MOST_BUCKETS = 100_000

export type RateLimiter = ReturnType<typeof createRateLimiter>

/** Token buckets in memory by route and key; the least recently used are evicted (D15). */
export function createRateLimiter({ nowMs = () => performance.now() } = {}) {
  const buckets = new LRUCache<string, { tokens: number; filledAtMs: number }>({ max: MOST_BUCKETS })
  const read = (name: string, rate: Rate, now: number) => {
    const bucket = buckets.get(name) ?? { tokens: rate.burst, filledAtMs: now }
    const refilled = ((now - bucket.filledAtMs) * rate.perMinute) / 60_000
    return Math.min(rate.burst, bucket.tokens + refilled)
  }
  const takeFrom = (name: string, rate: Rate, least: number) => {
    const now = nowMs()
    const tokens = read(name, rate, now)
    // A refusal stores nothing: rounding errors would add up for clients that retry fast.
    if (tokens < least) return false
    buckets.set(name, { tokens: tokens - 1, filledAtMs: now })
    return true
  }
  return {
    /** Takes one token from the bucket of this route and key; false if it is empty. */
    take: (route: string, key: string, rate: Rate) => takeFrom(`${route} ${key}`, rate, 1),
    /** Whether the bucket has a token. */
    has: (route: string, key: string, rate: Rate) => read(`${route} ${key}`, rate, nowMs()) >= 1,
    /** Takes one token after the fact: concurrent requests may leave a debt. */
    charge: (route: string, key: string, rate: Rate) =>
      void takeFrom(`${route} ${key}`, rate, Number.NEGATIVE_INFINITY),
  }
}
