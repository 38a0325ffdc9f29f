import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Logger, OutageLog } from '../../../background/outage-log.ts'
import { type Viewer, valuesOfViewers } from '../../../db/actor-batch.ts'
import type { Queryable } from '../../../db/database.ts'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { found } from '../../../http/routing/responses.ts'
import type { LiveConnection } from '../../../http/server/live-connections.ts'
import { writeEntityTag } from '../../../lists/entity-tag.ts'
import { eventText, joinEvents } from './event-text.ts'
import { POLLED, type PolledName, type Tags } from './polled.ts'
import { type ClockRow, openEventStream, readEventClocks, readVersions } from './sql.ts'

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
  /** Names them. */
  readonly audience: string
  readonly tags: Tags
  /** As the route of the clock responds. */
  readonly clock: string
  /** The clock without the present time, to compare. */
  readonly clockKey: string
  readonly nextChangeMs: number | null
}

/** A stream of an event. */
export interface AudienceMember {
  readonly viewer: Viewer & { readonly eventId: number }
  readonly connection: LiveConnection
  /** What the client knows. */
  state: EventState
}

interface Audience {
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

  /** Adds a stream. Its state may be older or newer than the other states, or than a `touch`. */
  join(member: AudienceMember): void {
    const audience: Audience = this.#audiences.get(member.state.audience) ?? {
      eventId: member.viewer.eventId,
      members: new Set(),
      state: member.state,
      isStale: false,
      isUrgent: false,
      dueAtMs: 0,
      toldAtMs: Number.NEGATIVE_INFINITY,
      boundary: undefined,
    }
    this.#audiences.set(member.state.audience, audience)
    audience.members.add(member)
    const isFirst = audience.members.size === 1
    if (isFirst) this.#awaitBoundary(audience)
    if (isFirst || describeDifference(audience.state, member.state) !== '') this.#spoil(audience)
    else member.state = audience.state
  }

  leave(member: AudienceMember): void {
    const audience = this.#audiences.get(member.state.audience)
    audience?.members.delete(member)
    if (audience === undefined || audience.members.size > 0) return
    clearTimeout(audience.boundary)
    this.#audiences.delete(member.state.audience)
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

  /** Reads all audiences that are due together. */
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
      const states = await this.#readStates(asked.map(({ member }) => member.viewer))
      for (const [index, { audience, member }] of asked.entries()) {
        const state = states[index]
        if (state?.audience === audience.state.audience) await this.#tell(audience, state)
        else {
          // The member sees something else now, and its client connects again: asks the next one.
          this.#spoil(audience)
          this.leave(member)
          member.connection.end()
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

  /**
   * The states of the viewers' events; undefined: the viewer sees nothing. Clocks are read first: a
   * start that a version does not have yet is then in `nextChangeMs`.
   */
  async #readStates(
    viewers: readonly AudienceMember['viewer'][],
  ): Promise<readonly (EventState | undefined)[]> {
    const values = valuesOfViewers(viewers)
    const clocks = byPlace(await this.#database.query(readEventClocks, values))
    const read = readVersions.map(async (one) => byPlace(await this.#database.query(one, values)))
    const versions = await Promise.all(read)
    return viewers.map((viewer, index) => {
      const clock = clocks.get(index + 1)
      const rows = versions.map((ofRoute) => ofRoute.get(index + 1))
      return clock?.is_found ? stateOf(viewer, clock, rows) : undefined
    })
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

/**
 * What a new stream shows of an event, and the access to it, which is read first: the stream ends
 * if it changes. Throws NOT_FOUND.
 */
export async function readFirstState(db: ActorDatabase, actor: string | null, event_id: number) {
  const { access, ...clock } = found(await db.query(openEventStream, { event_id }), 'event')
  const read = POLLED.map(async ({ version }) => (await db.query(version, { event_id }))[0])
  return { access, state: stateOf({ actor, eventId: event_id }, clock, await Promise.all(read)) }
}

type VersionRow = NonNullable<(typeof POLLED)[number]['version']['types']>['row']

/**
 * Makes a state of a clock and of the versions of `POLLED`, which were read after it. Each version
 * names its own audience: some that were read while the viewer's rights changed are of no audience.
 * Without teams, `standings_by_team` is refused to all (VALIDATION).
 */
function stateOf(
  { actor, eventId }: Pick<AudienceMember['viewer'], 'actor' | 'eventId'>,
  row: ClockRow,
  versions: readonly (Omit<VersionRow, 'is_found'> | undefined)[],
): EventState {
  const { now: _, ...clock } = JSON.parse(row.clock)
  const tags: Tags = {}
  const audiences = POLLED.flatMap(({ name, hash, isPublic }, index) => {
    const { version = null, audience = null, refusal = null } = versions[index] ?? {}
    const isShown = refusal === null && (isPublic || actor !== null)
    if (version !== null && isShown) tags[name] = writeEntityTag(hash(eventId), version)
    return [audience, refusal === 'VALIDATION' ? null : refusal]
  })
  return {
    audience: JSON.stringify([eventId, actor === null, row.extra_minutes, ...audiences]),
    tags,
    clock: row.clock,
    clockKey: JSON.stringify(clock),
    nextChangeMs: row.next_change_ms,
  }
}

const byPlace = <R extends { readonly place: number }>(rows: readonly R[]) =>
  new Map(rows.map((row) => [row.place, row]))

/** The events that tell a client with one state about the next state. */
function describeDifference(known: EventState, state: EventState): string {
  const changed = Object.entries(state.tags).filter(([name, tag]) => known.tags[name as PolledName] !== tag)
  const events = [
    ...(known.clockKey === state.clockKey ? [] : [eventText('clock', state.clock)]),
    ...(changed.length === 0 ? [] : [eventText('tags', JSON.stringify(Object.fromEntries(changed)))]),
  ]
  return events.length === 0 ? '' : joinEvents(events)
}
