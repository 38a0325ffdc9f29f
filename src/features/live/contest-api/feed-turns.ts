import type { RunInTurn } from '../../../http/routing/actor.ts'

/** The work that waits, by who asked for it: the account or network that waits longest is first. */
type Waiting = Map<string, (() => void)[]>

/**
 * Runs the statements of feeds one at a time, so that other routes always find a free connection.
 * Accounts and networks take turns, one statement each; staff comes before all others.
 */
export class FeedTurns {
  readonly #ofStaff: Waiting = new Map()
  readonly #ofOthers: Waiting = new Map()
  #isRunning = false

  /** The turns of an account or a network. */
  of(key: string, { isStaff = false } = {}): RunInTurn {
    const waiting = isStaff ? this.#ofStaff : this.#ofOthers
    return async (work) => {
      if (this.#isRunning) await new Promise<void>((start) => add(waiting, key, start))
      this.#isRunning = true
      try {
        return await work()
      } finally {
        const start = takeFirst(this.#ofStaff) ?? takeFirst(this.#ofOthers)
        this.#isRunning = start !== undefined
        start?.()
      }
    }
  }
}

function add(waiting: Waiting, key: string, start: () => void): void {
  const starts = waiting.get(key)
  if (starts === undefined) waiting.set(key, [start])
  else starts.push(start)
}

/** Takes the first work of the first key, which is the last one afterwards. */
function takeFirst(waiting: Waiting): (() => void) | undefined {
  const [first] = waiting
  if (first === undefined) return undefined
  const [key, starts] = first
  const start = starts.shift()
  waiting.delete(key)
  if (starts.length > 0) waiting.set(key, starts)
  return start
}
