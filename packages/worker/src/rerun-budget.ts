import { LRUCache } from 'lru-cache'

/** How long the programs of each user may still have the judge for themselves. */
export interface RerunBudget {
  /** Takes `seconds` from what `userId` has left. False: it is not enough, and nothing is taken. */
  take(userId: string, seconds: number): boolean
}

interface Account {
  readonly leftSeconds: number
  readonly atMs: number
}

const MOST_USERS = 10_000

/**
 * Every user may take `seconds` at once; they come back evenly over `periodMs`. A user who has
 * taken nothing may take more than that once.
 */
export function createRerunBudget(seconds: number, periodMs: number, now = () => Date.now()): RerunBudget {
  const accounts = new LRUCache<string, Account>({ max: MOST_USERS })
  return {
    take(userId, wanted) {
      const atMs = now()
      const { leftSeconds, atMs: before } = accounts.get(userId) ?? { leftSeconds: seconds, atMs }
      const available = Math.min(seconds, leftSeconds + ((atMs - before) / periodMs) * seconds)
      const isEnough = wanted <= available || available === seconds
      accounts.set(userId, { leftSeconds: isEnough ? available - wanted : available, atMs })
      return isEnough
    },
  }
}
