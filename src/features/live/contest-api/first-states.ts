import { LRUCache } from 'lru-cache'
import type { Notification } from './notifications.ts'

/** What everybody without a token sees of a contest, but the awards. */
export interface FirstState {
  /** The position in the change log before it was read. */
  readonly position: string
  /** The database's time before it was read, in seconds since 1970. */
  readonly lookedAt: number
  readonly notifications: readonly Notification[]
}

const MOST_CHARACTERS = 16 * 1024 * 1024

/** Memory of a notification besides its text, in characters. */
const ITEM_CHARACTERS = 64

interface Build {
  /** The count of readers at its start. */
  readonly began: number
  readonly result: Promise<FirstState>
}

/** The first state of each contest for anonymous feeds: one build serves all readers (P26). */
export class FirstStates {
  readonly #kept = new LRUCache<number, FirstState>({ maxSize: MOST_CHARACTERS, sizeCalculation: sizeOf })
  readonly #builds = new Map<number, Build>()
  #readers = 0

  /**
   * The kept state, if it can be brought up to date, or a build that began after this call: nothing
   * is missing that was committed before. Others wait for a build in progress. If it fails, perhaps
   * because its reader has left, the next one builds.
   */
  async read(
    eventId: number,
    bringUpToDate: (kept: FirstState) => Promise<FirstState | undefined>,
    build: () => Promise<FirstState>,
  ): Promise<FirstState> {
    const asked = this.#readers
    this.#readers += 1
    for (;;) {
      const running = this.#builds.get(eventId)
      const state =
        running === undefined ? this.#kept.get(eventId) : await running.result.catch(() => undefined)
      if (state !== undefined && running !== undefined && running.began > asked) return state
      const present = state && (await bringUpToDate(state))
      if (present !== undefined) {
        this.#kept.set(eventId, present)
        return present
      }
      if (!this.#builds.has(eventId)) return this.#build(eventId, build)
    }
  }

  #build(eventId: number, build: () => Promise<FirstState>): Promise<FirstState> {
    const result = build()
      .then((state) => {
        this.#kept.set(eventId, state)
        return state
      })
      .finally(() => this.#builds.delete(eventId))
    this.#builds.set(eventId, { began: this.#readers, result })
    return result
  }
}

function sizeOf({ notifications }: FirstState): number {
  return notifications.reduce((sum, { text }) => sum + text.length + ITEM_CHARACTERS, 1)
}
