import { bindBatch } from './batch-form.ts'
import {
  type Database,
  DatabaseError,
  DatabaseOverloaded,
  DatabaseUnavailable,
  type Requester,
  StatementUnwanted,
  type Transactable,
} from './database.ts'
import type { BatchForm, NamedValues, Row, Statement } from './statement.ts'

/** How many statements of one text are in flight at the same time. */
export interface CoalescingLimits {
  readonly reads: number
  readonly writes: number
}

const MOST_REQUESTS = 64
const MOST_BYTES = 1024 * 1024
/** Requests that wait to be coalesced, for one statement; more are refused. */
const MOST_WAITING = 5000
/** A statement that takes longer, such as one that waits for a lock, no longer delays others. */
const SLOT_MS = 250

/** A request that waits for its rows. */
interface Member {
  readonly values: NamedValues
  readonly requester: Requester | undefined
  resolve(rows: Row[]): void
  reject(err: unknown): void
}

/** The requests of one statement. */
interface Lane {
  readonly statement: Statement<Row, NamedValues>
  readonly batch: BatchForm
  waiting: Member[]
  inFlight: number
  isScheduled: boolean
}

/**
 * The database, with statements that have a batch form coalesced: requests that arrive within one
 * turn of the event loop, or while the allowed number of statements is in flight, run as one. A
 * lone request runs its own statement at once. Transactions are not coalesced.
 */
export function coalesceStatements(database: Database, limits: CoalescingLimits): Database {
  const coalescer = new Coalescer(database, limits)
  const over = (requester: Requester | undefined, own: Transactable): Transactable => ({
    query: (statement, ...values) =>
      statement.batch === undefined
        ? own.query(statement, ...values)
        : coalescer.query(statement, statement.batch, Object(values[0]), requester),
    transaction: (work) => own.transaction(work),
  })
  return {
    ...over(undefined, database),
    forRequest: (requester) => over(requester, database.forRequest(requester)),
    usage: () => database.usage(),
    close: () => database.close(),
  }
}

class Coalescer {
  readonly #database: Database
  readonly #limits: CoalescingLimits
  readonly #lanes = new Map<string, Lane>()

  constructor(database: Database, limits: CoalescingLimits) {
    this.#database = database
    this.#limits = limits
  }

  query<R extends Row, V>(
    statement: Statement<R, V>,
    batch: BatchForm,
    values: NamedValues,
    requester: Requester | undefined,
  ): Promise<R[]> {
    const lane = this.#laneOf(statement, batch, requester)
    if (lane.waiting.length >= MOST_WAITING) return Promise.reject(new DatabaseOverloaded())
    return new Promise((resolve, reject) => {
      // A lane has one statement, and its rows have the type R.
      const resolveRows = resolve as (rows: Row[]) => void
      lane.waiting.push({ values, requester, resolve: resolveRows, reject })
      this.#schedule(lane)
    })
  }

  /** Urgent requests do not wait for others in a batch (`SessionTurns`). */
  #laneOf<R extends Row, V>(
    { name, text, order, columns }: Statement<R, V>,
    batch: BatchForm,
    requester: Requester | undefined,
  ): Lane {
    const key = requester === undefined || requester.isUrgent ? `${name} urgent` : name
    let lane = this.#lanes.get(key)
    if (lane === undefined) {
      lane = {
        ...{ statement: { name, text, order, columns }, batch },
        ...{ waiting: [], inFlight: 0, isScheduled: false },
      }
      this.#lanes.set(key, lane)
    }
    return lane
  }

  /** At the end of this turn of the event loop: its other requests are then known. */
  #schedule(lane: Lane): void {
    if (lane.isScheduled || lane.inFlight >= this.#mostInFlight(lane)) return
    lane.isScheduled = true
    setImmediate(() => {
      lane.isScheduled = false
      this.#start(lane)
    })
  }

  #mostInFlight({ batch }: Lane): number {
    return batch.writes ? this.#limits.writes : this.#limits.reads
  }

  #start(lane: Lane): void {
    while (lane.waiting.length > 0 && lane.inFlight < this.#mostInFlight(lane)) {
      const members = takeBatch(lane)
      if (members.length > 0) this.#run(lane, members)
    }
  }

  #run(lane: Lane, members: readonly Member[]): void {
    lane.inFlight += 1
    let isHeld = true
    const release = () => {
      clearTimeout(timer)
      if (!isHeld) return
      isHeld = false
      lane.inFlight -= 1
      this.#start(lane)
    }
    const timer = setTimeout(release, SLOT_MS)
    void this.#settle(lane, members).finally(release)
  }

  /** Never rejects: each member gets its rows or its error. */
  async #settle(lane: Lane, members: readonly Member[]): Promise<void> {
    const [first] = members
    if (first === undefined) return
    if (members.length === 1) return this.#runAlone(lane, first)
    try {
      const rows = await this.#runBatch(lane, members)
      for (const [i, { resolve }] of members.entries()) resolve(rows[i] ?? [])
    } catch (err) {
      // PostgreSQL has rolled it back. Of a lost connection the outcome is unknown.
      if (isRolledBack(err)) await Promise.all(members.map((one) => this.#runAlone(lane, one)))
      else for (const { reject } of members) reject(err)
    }
  }

  async #runAlone({ statement }: Lane, { values, requester, resolve, reject }: Member): Promise<void> {
    const database = requester === undefined ? this.#database : this.#database.forRequest(requester)
    await database.query(statement, values).then(resolve, reject)
  }

  /** The rows of each member. */
  async #runBatch({ batch }: Lane, members: readonly Member[]): Promise<Row[][]> {
    const { name, text, columns } = batch
    const values = bindBatch(
      batch,
      members.map((member) => member.values),
    )
    const database = this.#database.forRequest(requesterOf(members))
    const rows = await database.query<Row, typeof values>(
      { name, text, columns, order: undefined, isBatch: true },
      values,
    )
    const ofMembers: Row[][] = members.map(() => [])
    for (const row of rows) ofMembers[Number(row.place) - 1]?.push(row)
    return ofMembers
  }
}

const isRolledBack = (err: unknown) =>
  err instanceof DatabaseError || (err instanceof DatabaseUnavailable && err.isRolledBack)

/** The batch is wanted while one of its requests waits. */
function requesterOf(members: readonly Member[]): Requester {
  const requesters = members.flatMap(({ requester }) => (requester === undefined ? [] : [requester]))
  const isOfBackground = requesters.length < members.length
  return {
    isWaiting: () => isOfBackground || requesters.some((requester) => requester.isWaiting()),
    isUrgent: isOfBackground || requesters.some((requester) => requester.isUrgent),
    requesters,
  }
}

/** Takes the next batch from the lane. Requests that nobody waits for any more are refused. */
function takeBatch(lane: Lane): Member[] {
  const taken: Member[] = []
  const left: Member[] = []
  const apart = new Set<unknown>()
  let bytes = 0
  let i = 0
  for (; i < lane.waiting.length && taken.length < MOST_REQUESTS; i += 1) {
    const member = lane.waiting[i]
    if (member === undefined) break
    if (member.requester?.isWaiting() === false) {
      member.reject(new StatementUnwanted())
      continue
    }
    const own = lane.batch.apart === undefined ? null : (member.values[lane.batch.apart] ?? null)
    const isApart = own !== null && apart.has(own)
    const size = isApart ? 0 : bytesOf(member.values)
    if (isApart || (taken.length > 0 && bytes + size > MOST_BYTES)) {
      left.push(member)
      continue
    }
    taken.push(member)
    apart.add(own)
    bytes += size
  }
  lane.waiting = [...left, ...lane.waiting.slice(i)]
  return taken
}

/** The bytes of the texts. */
function bytesOf(values: NamedValues): number {
  let bytes = 0
  for (const value of Object.values(values)) {
    if (typeof value === 'string') bytes += Buffer.byteLength(value)
    else if (Array.isArray(value)) bytes += value.reduce((sum, item) => sum + String(item).length, 0)
  }
  return bytes
}
