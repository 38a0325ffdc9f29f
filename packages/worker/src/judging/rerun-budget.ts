import { LRUCache } from 'lru-cache'

export type RerunBudget = ReturnType<typeof createRerunBudget>

const MOST_USERS = 10_000

/**
 * Lets the programs of each user run alone for `seconds`; used seconds come back evenly over
 * `periodMs`. A user with a full budget may take more than `seconds` once.
 */
export function createRerunBudget(seconds: number, periodMs: number, now = () => Date.now()) {
  const accounts = new LRUCache<string, { leftSeconds: number; atMs: number }>({ max: MOST_USERS })
  return {
    /** Takes `wanted` seconds from the user's budget. Returns false if there is too little left. */
    take(userId: string, wanted: number): boolean {
      const atMs = now()
      const { leftSeconds, atMs: before } = accounts.get(userId) ?? { leftSeconds: seconds, atMs }
      const available = Math.min(seconds, leftSeconds + ((atMs - before) / periodMs) * seconds)
      const isEnough = wanted <= available || available === seconds
      accounts.set(userId, { leftSeconds: isEnough ? available - wanted : available, atMs })
      return isEnough
    },
  }
}
