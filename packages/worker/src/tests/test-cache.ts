import { join } from 'node:path'
import { ServiceError } from '../service/service-error.ts'
import type { Logger } from '../shared/logger.ts'
import { type FetchedTests, fetchTests } from './fetch-tests.ts'
import {
  measureShared,
  measureTests,
  openTests,
  removeTests,
  type TestSet,
  UnreadableTests,
} from './test-set.ts'
import type { TestsApi } from './tests-api.ts'

export interface TestCacheOptions {
  readonly api: TestsApi
  /** An empty folder that only the worker can enter. */
  readonly folder: string
  /** The maximum size of kept sets on disk; 0 keeps none. */
  readonly maxBytes: number
  readonly logger: Logger
}

interface HeldSet {
  readonly saved: FetchedTests
  /** Its part of the cache's size: 0 if it is not kept. */
  bytes: number
  /** The number of judgings and requests that use it. */
  users: number
  /** True: the last user deletes its folder. */
  isForgotten: boolean
}

/** A request in progress for a problem's tests. */
interface Fetch {
  /** The cache's `#count` at its start. */
  readonly began: number
  /** The number of judgings that wait for it. */
  waiters: number
  readonly result: Promise<HeldSet | undefined>
}

/**
 * Test sets on disk. Every judging checks the entity tag. Judgings of one problem share a request;
 * different problems never wait for each other. A set that cannot be kept is deleted after its use.
 */
export class TestCache {
  readonly #options: TestCacheOptions
  /** By problem id, the least recently used first. */
  readonly #kept = new Map<number, HeldSet>()
  readonly #fetches = new Map<number, Fetch>()
  #usedBytes = 0
  #count = 0

  constructor(options: TestCacheOptions) {
    this.#options = options
  }

  /**
   * Calls `use` with a problem's current tests, or undefined if there is no such problem. Calls it
   * again if the kept tests are damaged. Throws like `use`, or `ServiceError`.
   */
  async withTests<T>(problemId: number, use: (tests: TestSet | undefined) => Promise<T>): Promise<T> {
    try {
      return await this.#useCurrent(problemId, use)
    } catch (err) {
      if (!(err instanceof UnreadableTests)) throw err
      this.#options.logger.warn({ problemId, err }, 'kept tests are damaged: fetching them again')
      return this.#useCurrent(problemId, use)
    }
  }

  async #useCurrent<T>(problemId: number, use: (tests: TestSet | undefined) => Promise<T>): Promise<T> {
    const held = await this.#acquire(problemId)
    if (held === undefined) return use(undefined)
    try {
      return await use(await openTests(held.saved))
    } catch (err) {
      if (err instanceof UnreadableTests) await this.#forget(problemId, held)
      throw err
    } finally {
      await this.#release(held)
    }
  }

  /** The caller must call `#release` after use. */
  async #acquire(problemId: number): Promise<HeldSet | undefined> {
    const asked = this.#tick()
    for (;;) {
      const fetch = this.#fetches.get(problemId) ?? this.#startFetch(problemId)
      if (fetch.began > asked) {
        fetch.waiters += 1
        return fetch.result
      }
      // The tests may have changed since that request began: check them again.
      await fetch.result.catch(() => undefined)
    }
  }

  #startFetch(problemId: number): Fetch {
    const waiting = { began: this.#tick(), waiters: 0 }
    const fetch = Object.assign(waiting, { result: this.#finishFetch(problemId, waiting) })
    this.#fetches.set(problemId, fetch)
    return fetch
  }

  async #finishFetch(problemId: number, waiting: Pick<Fetch, 'waiters'>): Promise<HeldSet | undefined> {
    let held: HeldSet | undefined
    try {
      held = await this.#fetch(problemId)
    } finally {
      this.#fetches.delete(problemId)
    }
    // No `await` before this line: waiters must count as users before a call can forget the set.
    if (held !== undefined) held.users += waiting.waiters - 1
    return held
  }

  /** The result has one user, the caller. */
  async #fetch(problemId: number): Promise<HeldSet | undefined> {
    const known = this.#kept.get(problemId)
    if (known !== undefined) known.users += 1
    try {
      const folder = join(this.#options.folder, String(this.#tick()))
      const found = await fetchTests(this.#options.api, problemId, known?.saved, folder)
      if (found === 'unchanged') {
        if (known === undefined)
          throw new ServiceError('the service responded 304 to a request without an entity tag')
        this.#touch(problemId, known)
        known.users += 1
        return known
      }
      if (known !== undefined) await this.#forget(problemId, known)
      return found && (await this.#hold(problemId, found, known))
    } finally {
      if (known !== undefined) await this.#release(known)
    }
  }

  /** Keeps a set unless it is too large. The texts that it shares count once. */
  async #hold(problemId: number, saved: FetchedTests, known: HeldSet | undefined): Promise<HeldSet> {
    const sharedBytes = known ? measureShared(known.saved, saved) : 0
    const bytes = measureTests(saved)
    const isKept = await this.#reserve(bytes, sharedBytes)
    if (isKept && known !== undefined) known.bytes -= sharedBytes
    const held = { saved, bytes: isKept ? bytes : 0, users: 1, isForgotten: !isKept }
    if (isKept) this.#kept.set(problemId, held)
    return held
  }

  /** Deletes unused sets to make room. Returns false if there is still too little. */
  async #reserve(bytes: number, sharedBytes: number): Promise<boolean> {
    const { maxBytes } = this.#options
    if (bytes > maxBytes) return false
    const newBytes = bytes - sharedBytes
    for (const [problemId, held] of this.#kept) {
      if (this.#usedBytes + newBytes <= maxBytes) break
      if (held.users === 0) await this.#forget(problemId, held)
    }
    if (this.#usedBytes + newBytes > maxBytes) return false
    this.#usedBytes += newBytes
    return true
  }

  #touch(problemId: number, held: HeldSet): void {
    if (this.#kept.get(problemId) !== held) return
    this.#kept.delete(problemId)
    this.#kept.set(problemId, held)
  }

  async #forget(problemId: number, held: HeldSet): Promise<void> {
    if (this.#kept.get(problemId) === held) this.#kept.delete(problemId)
    if (held.isForgotten) return
    held.isForgotten = true
    if (held.users === 0) await this.#deleteSet(held)
  }

  async #release(held: HeldSet): Promise<void> {
    held.users -= 1
    if (held.isForgotten && held.users === 0) await this.#deleteSet(held)
  }

  /** A folder that cannot be deleted still counts. */
  async #deleteSet({ saved: { folder }, bytes }: HeldSet): Promise<void> {
    try {
      await removeTests(folder)
      this.#usedBytes -= bytes
    } catch (err) {
      this.#options.logger.warn({ folder, err }, 'kept tests cannot be deleted')
    }
  }

  #tick(): number {
    this.#count += 1
    return this.#count
  }
}
