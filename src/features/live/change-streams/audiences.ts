import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Logger, OutageLog } from '../../../background/outage-log.ts'
import { type Viewer, valuesOfViewers } from '../../../db/actor-batch.ts'
import type { Queryable } from '../../../db/database.ts'
import type { LiveConnection } from '../../../http/server/live-connections.ts'
import { eventText, joinEvents } from './event-text.ts'
import { type PolledName, type Tags, tagsOf } from './polled.ts'
import { readEventStates } from './sql.ts'

/** At most one event `tags` per stream in this time (P25). */
const TAGS_INTERVAL_MS = 2000

/** States are read at multiples of this: a hidden verdict must not delay the next tags (P25). */
const READ_INTERVAL_MS = 500

/** A timer may be a little early. */
const EARLY_MS = 1

/** How soon a failed read is repeated. */
const RETRY_MS = 1000

/** `setTimeout` takes no more than 24 days; a later boundary is looked for again. */
const LONGEST_WAIT_MS = 3_600_000

/** Writing to 200 streams takes about 4 ms: other requests get their turn between. */
export const STREAMS_PER_TURN = 200

/** What all of an audience see of an event. */
export interface EventState {
  readonly tags: Tags
  /** As the route of the clock responds. */
  readonly clock: string
  /** The clock without the present time, to compare. */
  readonly clockKey: string
  readonly nextChangeMs: number | null
}

/** The row of a statement that reads states. */
export type StateRow = Readonly<Record<PolledName, string | null>> & {
  readonly clock: string
  readonly next_change_ms: number | null
}

/** A stream of an event. */
export interface AudienceMember {
  readonly viewer: Viewer & { readonly eventId: number }
  readonly connection: LiveConnection
  /** What the client knows. */
  state: EventState
}

interface Audience {
  readonly name: string
  readonly eventId: number
  readonly members: Set<AudienceMember>
  state: EventState
  isStale: boolean
  /** The clock has changed, and is told at once. */
  isUrgent: boolean
  /** When a stale state is read and told, on the clock of `performance`. */
  dueAtMs: number
  /** When tags were told last. */
  toldAtMs: number
  /** Until the next change without a write: the start, the freeze or the end. */
  boundary: NodeJS.Timeout | undefined
}

/**
 * Tells streams the entity tags and the clock of their event. Streams whose callers see the same
 * form an audience: its state is read once for all of them.
 */
export class Audiences {
  readonly #database: Queryable
  readonly #outage: OutageLog
  readonly #audiences = new Map<string, Audience>()
  #isReading = false
  #timer: NodeJS.Timeout | undefined

  constructor(database: Queryable, logger: Logger) {
    this.#database = database
    this.#outage = new OutageLog(logger, 'warn', 'The entity tags for streams can be read again.')
  }

  /** Adds a stream. Its state may be older or newer than the other states. */
  join(name: string, member: AudienceMember): void {
    const { eventId } = member.viewer
    const key = `${eventId} ${name}`
    const audience: Audience = this.#audiences.get(key) ?? {
      name,
      eventId,
      members: new Set(),
      state: member.state,
      isStale: false,
      isUrgent: false,
      dueAtMs: 0,
      toldAtMs: Number.NEGATIVE_INFINITY,
      boundary: undefined,
    }
    this.#audiences.set(key, audience)
    audience.members.add(member)
    if (audience.members.size === 1) this.#awaitBoundary(audience)
    if (isSameState(audience.state, member.state)) member.state = audience.state
    else this.#spoil(audience)
  }

  leave(name: string, member: AudienceMember): void {
    const audience = this.#audiences.get(`${member.viewer.eventId} ${name}`)
    if (audience !== undefined) this.#remove(audience, member)
  }

  #remove(audience: Audience, member: AudienceMember): void {
    audience.members.delete(member)
    if (audience.members.size > 0) return
    clearTimeout(audience.boundary)
    this.#audiences.delete(`${audience.eventId} ${audience.name}`)
  }

  /** An event has changed, or undefined any: reads its state again. */
  touch(eventId: number | undefined): void {
    for (const audience of this.#audiences.values()) {
      if (eventId === undefined || audience.eventId === eventId) this.#spoil(audience)
    }
  }

  #spoil(audience: Audience): void {
    if (audience.isStale) return
    audience.isStale = true
    const earliestMs = Math.max(performance.now(), audience.toldAtMs + TAGS_INTERVAL_MS) + EARLY_MS
    audience.dueAtMs = Math.ceil(earliestMs / READ_INTERVAL_MS) * READ_INTERVAL_MS
    this.#schedule()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    const stale = [...this.#audiences.values()].filter(({ isStale }) => isStale)
    if (stale.length === 0 || this.#isReading) return
    const dueAtMs = Math.min(...stale.map(({ isUrgent, dueAtMs }) => (isUrgent ? 0 : dueAtMs)))
    this.#timer = setTimeout(() => void this.#read(), dueAtMs - performance.now()).unref()
  }

  /** Reads all audiences that are due with one statement. */
  async #read(): Promise<void> {
    const nowMs = performance.now()
    const due = [...this.#audiences.values()].filter(
      ({ isStale, isUrgent, dueAtMs }) => isStale && (isUrgent || dueAtMs <= nowMs + EARLY_MS),
    )
    this.#isReading = true
    for (const audience of due) Object.assign(audience, { isStale: false, isUrgent: false })
    try {
      const asked = due.flatMap((audience) =>
        [...audience.members].slice(0, 1).map((member) => ({ audience, member })),
      )
      const viewers = asked.map(({ member }) => member.viewer)
      const rows = await this.#database.query(readEventStates, valuesOfViewers(viewers))
      const states = new Map(rows.map((row) => [row.place, row]))
      for (const [index, { audience, member }] of asked.entries()) {
        const row = states.get(index + 1)
        if (row?.is_found && row.audience === audience.name) {
          await this.#tell(audience, stateOf(audience.eventId, row))
        } else {
          // The member sees something else now, and its stream ends soon: asks the next one.
          this.#spoil(audience)
          this.#remove(audience, member)
        }
      }
      this.#outage.works()
    } catch (err) {
      this.#outage.failed({ err }, 'The entity tags for streams cannot be read.')
      for (const audience of due) {
        audience.isStale = true
        audience.dueAtMs = nowMs + RETRY_MS
      }
    } finally {
      this.#isReading = false
      this.#schedule()
    }
  }

  /** Tells the members what is new for them; before the tags are due, only the clock. */
  async #tell(audience: Audience, state: EventState): Promise<void> {
    const nowMs = performance.now()
    const isEarly = nowMs + EARLY_MS < audience.dueAtMs
    audience.state = state
    if (isEarly) this.#spoil(audience)
    this.#awaitBoundary(audience)
    const differences = new Map<EventState, { readonly text: string; readonly told: EventState }>()
    let written = 0
    for (const member of audience.members) {
      const known = member.state
      const told = isEarly ? { ...state, tags: known.tags } : state
      const difference = differences.get(known) ?? { text: describeDifference(known, told), told }
      differences.set(known, difference)
      member.state = difference.told
      if (difference.text === '') continue
      member.connection.write(difference.text)
      written += 1
      if (!isEarly) audience.toldAtMs = nowMs
      if (written % STREAMS_PER_TURN === 0) await nextTurn()
    }
  }

  #awaitBoundary(audience: Audience): void {
    clearTimeout(audience.boundary)
    const { nextChangeMs } = audience.state
    if (nextChangeMs === null) return
    const waitMs = Math.min(Math.ceil(nextChangeMs) + 1, LONGEST_WAIT_MS)
    audience.boundary = setTimeout(() => {
      audience.isUrgent = true
      this.#spoil(audience)
      this.#schedule()
    }, waitMs).unref()
  }
}

/** Makes a state of a row. */
export function stateOf(eventId: number, row: StateRow): EventState {
  const { now: _, ...clock } = JSON.parse(row.clock)
  return {
    tags: tagsOf(eventId, row),
    clock: row.clock,
    clockKey: JSON.stringify(clock),
    nextChangeMs: row.next_change_ms,
  }
}

const isSameState = (one: EventState, other: EventState) => describeDifference(one, other) === ''

/** The events that tell a client with one state about the next state. */
function describeDifference(known: EventState, state: EventState): string {
  const changed = Object.entries(state.tags).filter(([name, tag]) => known.tags[name as PolledName] !== tag)
  const events = [
    ...(known.clockKey === state.clockKey ? [] : [eventText('clock', state.clock)]),
    ...(changed.length === 0 ? [] : [eventText('tags', JSON.stringify(Object.fromEntries(changed)))]),
  ]
  return events.length === 0 ? '' : joinEvents(events)
}
