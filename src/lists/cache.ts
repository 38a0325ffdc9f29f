import { LRUCache } from 'lru-cache'
import { StatementUnwanted } from '../db/database.ts'
import { AppError } from '../http/routing/errors.ts'
import type { KeptRows } from './kept-rows.ts'
import type { TextInParts } from './text-in-parts.ts'

/** A list as it was built for an audience. Without a body it is too long for one response. */
export interface BuiltList {
  readonly version: string
  readonly audience: string
  readonly body: Buffer | TextInParts | null
  /** The key of the last item, if there is another page. */
  readonly next: string | null
  /** The same in rows, from which the next version is built. */
  readonly rows?: KeptRows
}

/** A request for a list: for this audience, and no older than this version. */
export interface WantedList {
  readonly request: string
  readonly audience: string
  readonly version: string
}

/** Bytes of the bodies and rows in the cache, without their compressed forms. */
const CACHE_BYTES = 32 * 1024 * 1024

/** Memory of an entry besides its body: Node may cut a short body out of a larger buffer. */
const ENTRY_BYTES = 8 * 1024

/** Builds a list, from an earlier version and with the rows of another audience if there are any. */
type Builder = (earlier: BuiltList | undefined, ofOthers: KeptRows | undefined) => Promise<BuiltList>

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
  readonly #builds = new Map<string, Build>()
  /** By request, the key of the entry with rows that was built last. */
  readonly #latestRows = new LRUCache<string, string>({ max: 1000 })
  #count = 0

  constructor(maxBytes = CACHE_BYTES) {
    const sizeCalculation = ({ body, rows }: BuiltList) =>
      ENTRY_BYTES + (body?.length ?? 0) + (rows?.bytes ?? 0)
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation })
  }

  /**
   * The wanted version or a newer one; `build` reads it from the database and may throw. It gets an
   * earlier version if there is one, and the rows of another audience. A caller waits for `enter`
   * before it builds, and not while others wait for its build.
   */
  async read(wanted: WantedList, build: Builder, enter?: () => Promise<void>): Promise<BuiltList> {
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

  #build(key: string, { request, version, audience }: WantedList, build: Builder): Promise<BuiltList> {
    const began = this.#tick()
    const latest = this.#latestRows.get(request)
    const ofOthers = latest === undefined || latest === key ? undefined : this.#entries.peek(latest)?.rows
    const result = build(this.#entries.peek(key), ofOthers)
      .then((built) => {
        // The caller's audience may have changed during the build.
        if (built.audience === audience) {
          this.#entries.set(key, built)
          if (built.rows !== undefined) this.#latestRows.set(request, key)
        }
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
