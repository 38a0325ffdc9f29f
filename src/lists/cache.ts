import { LRUCache } from 'lru-cache'
import { StatementUnwanted } from '../db/database.ts'
import { AppError } from '../http/routing/errors.ts'
import type { TextInParts } from './text-in-parts.ts'

/** A list as it was built for an audience. Without a body it is too long for one response. */
export interface BuiltList {
  readonly version: string
  readonly audience: string
  readonly body: Buffer | TextInParts | null
  /** The key of the last item, if there is another page. */
  readonly next: string | null
}

/** What an instance keeps besides lists, to build their next versions from. */
export interface Kept {
  /** An estimate of its memory. */
  readonly bytes: number
}

/** A request for a list: for this audience, and no older than this version. */
export interface WantedList {
  readonly request: string
  readonly audience: string
  readonly version: string
}

/** Bytes of the bodies in the cache, without their compressed forms. */
const CACHE_BYTES = 32 * 1024 * 1024

/**
 * Times as many bytes of what is kept for lists: a contest of 20,000 people and 15 problems takes
 * about 60 MiB, one of 6,000 and 12 takes 15 MiB.
 */
const KEPT_SHARE = 3

/** Memory of an entry besides its body: Node may cut a short body out of a larger buffer. */
const ENTRY_BYTES = 8 * 1024

/** A build in progress. */
interface Build {
  /** The built list is at least as new as this. */
  readonly version: string
  /** The count of events at its start. */
  readonly began: number
  readonly result: Promise<BuiltList>
}

/**
 * The latest build of each polled list, built only once for concurrent requests. A request reads
 * the version first: responses include everything that was committed before the request.
 */
export class ListCache {
  readonly #entries: LRUCache<string, BuiltList>
  readonly #kept: LRUCache<string, Kept>
  readonly #builds = new Map<string, Build>()
  #count = 0

  constructor(maxBytes = CACHE_BYTES) {
    const sizeOf = ({ body }: BuiltList) => ENTRY_BYTES + (body?.length ?? 0)
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf })
    this.#kept = new LRUCache({ maxSize: KEPT_SHARE * maxBytes, sizeCalculation: ({ bytes }) => bytes + 1 })
  }

  /**
   * The wanted version or a newer one; `build` reads it from the database and may throw. A caller
   * waits for `enter` before it builds, and not while others wait for its build.
   */
  async read(
    wanted: WantedList,
    build: () => Promise<BuiltList>,
    enter?: () => Promise<void>,
  ): Promise<BuiltList> {
    const key = `${wanted.request} ${wanted.audience}`
    const asked = this.#tick()
    let hasEntered = enter === undefined
    for (;;) {
      const entry = this.#entries.get(key)
      if (entry?.version === wanted.version) return entry
      const running = this.#builds.get(key)
      if (running === undefined) {
        if (hasEntered) return this.#build(key, wanted, build)
        await enter?.()
        hasEntered = true
        continue
      }
      const built = await running.result.catch(rethrowUnlessRefusal)
      const isFresh = running.began > asked || running.version === wanted.version
      if (isFresh && built?.audience === wanted.audience) return built
    }
  }

  /** What was kept under this key; undefined: nothing, or no longer. */
  kept(key: string): Kept | undefined {
    return this.#kept.get(key)
  }

  /** Keeps a value, or counts it again after it has changed. */
  keep(key: string, value: Kept): void {
    // The cache measures the same value only once.
    this.#kept.delete(key)
    this.#kept.set(key, value)
  }

  drop(key: string): void {
    this.#kept.delete(key)
  }

  #build(
    key: string,
    { version, audience }: WantedList,
    build: () => Promise<BuiltList>,
  ): Promise<BuiltList> {
    const began = this.#tick()
    const result = build()
      .then((built) => {
        // The caller's audience may have changed during the build.
        if (built.audience === audience) this.#entries.set(key, built)
        return built
      })
      .finally(() => this.#builds.delete(key))
    this.#builds.set(key, { version, began, result })
    return result
  }

  #tick(): number {
    this.#count += 1
    return this.#count
  }
}

/**
 * A failure fails all waiting requests. After a refusal of one caller, or if that caller no longer
 * waits, the others build again.
 */
function rethrowUnlessRefusal(err: unknown): undefined {
  if (!(err instanceof AppError || err instanceof StatementUnwanted)) throw err
}
