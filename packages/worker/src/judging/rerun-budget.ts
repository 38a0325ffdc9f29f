import { LRUCache } from 'lru-cache'

/** For how many seconds the programs of each user may still run alone. */
export interface RerunBudget {
  /** Takes `seconds` from the user's budget. Returns false if there is too little left. */
  take(userId: string, seconds: number): boolean
}

interface Account {
  readonly leftSeconds: number
  readonly atMs: number
}

const MOST_USERS = 10_000

/**
 * Each user has `seconds`; used seconds come back evenly over `periodMs`. A user with a full budget
 * may take more than `seconds` once.
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
