import { DatabaseOverloaded, type Requester, StatementUnwanted } from './database.ts'

export interface TurnBounds {
  /** Requests that wait for their first statement; more are refused at once. */
  readonly maxWaiting: number
  /** How long a request's statement waits; then it is refused and never runs. */
  readonly requestMs: number
  /** The same for background work, whose result nobody waits for. */
  readonly backgroundMs: number
}

interface Waiting {
  readonly requester: Requester | undefined
  start(): void
  refuse(err: Error): void
}

/**
 * Gives one statement or transaction after the other its turn on a single session. Background work
 * and judges take every second turn, so neither side starves. Requests that have already used the
 * database go before new ones: under overload no work is begun that cannot be finished.
 */
export class SessionTurns {
  readonly #bounds: TurnBounds
  readonly #urgent = new Set<Waiting>()
  readonly #begun = new Set<Waiting>()
  readonly #fresh = new Set<Waiting>()
  /** The requests that had a turn. */
  readonly #known = new WeakSet<Requester>()
  #isTaken = false
  #wasUrgent = false

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds
  }

  /** How many wait. */
  get waiting(): number {
    return this.#urgent.size + this.#begun.size + this.#fresh.size
  }

  /**
   * Runs `work` when its turn comes. Throws `DatabaseOverloaded` or `StatementUnwanted` instead;
   * then `work` never runs. No requester: background work.
   */
  async run<T>(requester: Requester | undefined, work: () => Promise<T>): Promise<T> {
    if (requester?.isWaiting() === false) throw new StatementUnwanted()
    if (this.#isTaken) await this.#wait(requester)
    this.#isTaken = true
    this.#wasUrgent = this.#laneOf(requester) === this.#urgent
    for (const known of requester?.requesters ?? [requester]) if (known !== undefined) this.#known.add(known)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #wait(requester: Requester | undefined): Promise<void> {
    const { maxWaiting, requestMs, backgroundMs } = this.#bounds
    const lane = this.#laneOf(requester)
    if (lane === this.#fresh && lane.size >= maxWaiting) throw new DatabaseOverloaded()
    return new Promise((start, refuse) => {
      const waitMs = requester === undefined ? backgroundMs : requestMs
      const end = () => {
        clearTimeout(timer)
        lane.delete(waiting)
      }
      const waiting: Waiting = {
        requester,
        start: () => {
          end()
          start()
        },
        refuse: (err) => {
          end()
          refuse(err)
        },
      }
      const timer = setTimeout(() => waiting.refuse(new DatabaseOverloaded()), waitMs)
      lane.add(waiting)
    })
  }

  #laneOf(requester: Requester | undefined): Set<Waiting> {
    if (requester === undefined || requester.isUrgent) return this.#urgent
    const { requesters = [requester] } = requester
    return requesters.some((one) => this.#known.has(one)) ? this.#begun : this.#fresh
  }

  /** Passes the turn on; it stays taken if somebody waits. */
  #next(): void {
    const lanes = [this.#begun, this.#fresh]
    for (const lane of this.#wasUrgent ? [...lanes, this.#urgent] : [this.#urgent, ...lanes]) {
      for (const waiting of lane) {
        if (waiting.requester?.isWaiting() === false) {
          waiting.refuse(new StatementUnwanted())
          continue
        }
        waiting.start()
        return
      }
    }
    this.#isTaken = false
  }
}
