import { LRUCache } from 'lru-cache'
import { DatabaseUnavailable } from '../db/database.ts'

/** A list as it was built for an audience. Without a body it is longer than one answer may be. */
export interface BuiltList {
  readonly version: string
  readonly audience: string
  readonly body: Buffer | null
  /** The key of its last item, where there is another page. */
  readonly next: string | null
}

/** What is asked for: the answer to a request as an audience is to see it, no older than a version. */
export interface WantedList {
  readonly request: string
  readonly audience: string
  readonly version: string
}

/** Of the bodies that are kept; what is compressed of them comes on top. */
const KEPT_BYTES = 32 * 1024 * 1024

/** One that is under way. */
interface Build {
  /** What it shows is no older than this. */
  readonly version: string
  /** When it began, by the count of what happened. */
  readonly began: number
  readonly result: Promise<BuiltList>
}

/**
 * Lists that many poll, each kept as it was built last, and built once at a time however many wait for it. Whoever asks has just looked up the
 * version, so that nobody is shown less than what was committed when they asked.
 */
export class KeptLists {
  readonly #kept: LRUCache<string, BuiltList>
  readonly #builds = new Map<string, Build>()
  #count = 0

  constructor(keptBytes = KEPT_BYTES) {
    const sizeCalculation = ({ body }: BuiltList) => 1 + (body?.length ?? 0)
    this.#kept = new LRUCache({ maxSize: keptBytes, sizeCalculation })
  }

  /** Answers the wanted version or a newer one; `build` reads it from the database. Throws as `build` does. */
  async read(wanted: WantedList, build: () => Promise<BuiltList>): Promise<BuiltList> {
    const key = `${wanted.request} ${wanted.audience}`
    const asked = this.#tick()
    for (;;) {
      const kept = this.#kept.get(key)
      if (kept?.version === wanted.version) return kept
      const running = this.#builds.get(key)
      if (running === undefined) return this.#build(key, wanted, build)
      const built = await running.result.catch(throwIfUnavailable)
      const isFresh = running.began > asked || running.version === wanted.version
      if (isFresh && built?.audience === wanted.audience) return built
    }
  }

  #build(
    key: string,
    { version, audience }: WantedList,
    build: () => Promise<BuiltList>,
  ): Promise<BuiltList> {
    const began = this.#tick()
    const result = build()
      .then((built) => {
        // Who builds it may have come to another audience since they asked.
        if (built.audience === audience) this.#kept.set(key, built)
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

/** Where the database is away, it is so for all who wait; any other failure may be the own one of whoever built. */
function throwIfUnavailable(err: unknown): undefined {
  if (err instanceof DatabaseUnavailable) throw err
}
