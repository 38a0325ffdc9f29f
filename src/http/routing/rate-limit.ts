import { LRUCache } from 'lru-cache'
import type { Rate } from '../../config/config.ts'

interface Bucket {
  tokens: number
  filledAtMs: number
}

export interface RateLimiter {
  /** Takes one token from the bucket of this route and key; false if it is empty. */
  take(route: string, key: string, rate: Rate): boolean
}

/** Token buckets in memory by route and key; the least recently used are evicted (D15). */
export function createRateLimiter(options: { maxBuckets?: number; nowMs?: () => number } = {}): RateLimiter {
  const { maxBuckets = 100_000, nowMs = () => performance.now() } = options
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets })
  return {
    take(route, key, rate) {
      const now = nowMs()
      const name = `${route} ${key}`
      const bucket = buckets.get(name) ?? { tokens: rate.burst, filledAtMs: now }
      const refilled = ((now - bucket.filledAtMs) * rate.perMinute) / 60_000
      const tokens = Math.min(rate.burst, bucket.tokens + refilled)
      // A refusal stores nothing: rounding errors would add up for clients that retry fast.
      if (tokens < 1) return false
      buckets.set(name, { tokens: tokens - 1, filledAtMs: now })
      return true
    },
  }
}
