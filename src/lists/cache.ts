import { LRUCache } from 'lru-cache'
import { AppError } from '../http/routing/errors.ts'

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

/** Of what is kept; what is compressed of it comes on top. */
const KEPT_BYTES = 32 * 1024 * 1024

/** What keeping a list takes besides its body, also where Node has cut a short one out of a larger piece of memory. */
const ENTRY_BYTES = 8 * 1024

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
    const sizeCalculation = ({ body }: BuiltList) => ENTRY_BYTES + (body?.length ?? 0)
    this.#kept = new LRUCache({ maxSize: keptBytes, sizeCalculation })
  }

  /** Answers the wanted version or a newer one; `build` reads it from the database. Throws as `build` does, or the build that it has waited for. */
  async read(wanted: WantedList, build: () => Promise<BuiltList>): Promise<BuiltList> {
    const key = `${wanted.request} ${wanted.audience}`
    const asked = this.#tick()
    for (;;) {
      const kept = this.#kept.get(key)
      if (kept?.version === wanted.version) return kept
      const running = this.#builds.get(key)
      if (running === undefined) return this.#build(key, wanted, build)
      const built = await running.result.catch(throwUnlessRefused)
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

/** What fails, fails for all who wait: each by itself would only try it again. A refusal is for whoever built alone. */
function throwUnlessRefused(err: unknown): undefined {
  if (!(err instanceof AppError)) throw err
}
