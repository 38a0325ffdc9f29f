import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JudgeApi, ServedTests } from './judge-api.ts'
import type { Logger } from './logger.ts'
import { ServiceError } from './service-error.ts'
import {
  holdTests,
  measureTests,
  nameUnfinished,
  saveTests,
  type TestSet,
  UnreadableTests,
} from './test-set.ts'

export interface TestCacheOptions {
  readonly api: Pick<JudgeApi, 'readTests'>
  /** An empty folder that only the worker can enter. */
  readonly folder: string
  /** The most that kept test sets take on disk; 0 keeps none. */
  readonly maxBytes: number
  readonly logger: Logger
}

/** A test set that judgings use; on disk if it has a folder. */
interface HeldSet {
  readonly tests: TestSet
  readonly tag: string | undefined
  readonly folder: string | undefined
  readonly bytes: number
  /** How many judgings and requests need it. */
  users: number
  /** True: its folder is deleted after its last use. */
  isForgotten: boolean
}

/** A request for a problem's tests in progress. */
interface Fetch {
  /** When it began, in the cache's count of events. */
  readonly began: number
  /** How many judgings will use its result. */
  waiters: number
  readonly result: Promise<HeldSet | undefined>
}

/**
 * Test sets on disk, checked by their entity tag with every judging. Judgings of one problem share
 * a request; different problems never wait for one another.
 */
export class TestCache {
  readonly #options: TestCacheOptions
  /** By problem, the least recently used first. */
  readonly #kept = new Map<number, HeldSet>()
  readonly #fetches = new Map<number, Fetch>()
  /** Of all folders that are on disk or being written. */
  #usedBytes = 0
  #count = 0

  constructor(options: TestCacheOptions) {
    this.#options = options
  }

  /**
   * Calls `use` with a problem's current tests, undefined where the problem is gone. Calls it once
   * more if the kept tests turn out to be damaged. Throws as `use` does, or `ServiceError`.
   */
  async withTests<T>(problemId: number, use: (tests: TestSet | undefined) => Promise<T>): Promise<T> {
    try {
      return await this.#useCurrent(problemId, use)
    } catch (err) {
      if (!(err instanceof UnreadableTests)) throw err
      this.#options.logger.warn({ problemId, err }, 'kept tests are damaged: they are fetched again')
      return this.#useCurrent(problemId, use)
    }
  }

  async #useCurrent<T>(problemId: number, use: (tests: TestSet | undefined) => Promise<T>): Promise<T> {
    const held = await this.#acquire(problemId)
    if (held === undefined) return use(undefined)
    try {
      return await use(held.tests)
    } catch (err) {
      if (err instanceof UnreadableTests) await this.#forget(problemId, held)
      throw err
    } finally {
      await this.#release(held)
    }
  }

  /** The caller uses the result until it calls `#release`. */
  async #acquire(problemId: number): Promise<HeldSet | undefined> {
    const asked = this.#tick()
    for (;;) {
      const fetch = this.#fetches.get(problemId) ?? this.#startFetch(problemId)
      if (fetch.began > asked) {
        fetch.waiters += 1
        return fetch.result
      }
      // The tests may have changed since that request began: its tests are kept, and checked again.
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
    // No `await` before this line: every waiter is a user before another call can forget the set.
    if (held !== undefined) held.users += waiting.waiters - 1
    return held
  }

  /** Answers a set with one user: the caller. */
  async #fetch(problemId: number): Promise<HeldSet | undefined> {
    const known = this.#kept.get(problemId)
    if (known !== undefined) known.users += 1
    try {
      const served = await this.#options.api.readTests(problemId, known?.tag)
      if (served === 'unchanged') {
        if (known === undefined) throw new ServiceError('the service answered 304 to a request without a tag')
        this.#touch(problemId, known)
        known.users += 1
        return known
      }
      if (known !== undefined) await this.#forget(problemId, known)
      return served && (await this.#hold(problemId, served))
    } finally {
      if (known !== undefined) await this.#release(known)
    }
  }

  /**
   * Keeps a fetched set, or holds it in memory if it has no tag, is too large or cannot be written.
   */
  async #hold(problemId: number, { tag, testCases }: ServedTests): Promise<HeldSet> {
    const inMemory = { tests: holdTests(testCases), tag, folder: undefined, bytes: 0 }
    const bytes = measureTests(testCases)
    if (tag === undefined || !(await this.#reserve(bytes))) {
      return { ...inMemory, users: 1, isForgotten: true }
    }
    const folder = join(this.#options.folder, String(this.#tick()))
    try {
      const tests = await saveTests(folder, testCases)
      const held = { tests, tag, folder, bytes, users: 1, isForgotten: false }
      this.#kept.set(problemId, held)
      return held
    } catch (err) {
      this.#options.logger.warn({ problemId, err }, 'tests cannot be kept on disk')
      await this.#delete(nameUnfinished(folder), bytes)
      return { ...inMemory, users: 1, isForgotten: true }
    }
  }

  /** Makes room by forgetting sets that nothing uses. Answers false where that is not enough. */
  async #reserve(bytes: number): Promise<boolean> {
    const { maxBytes } = this.#options
    if (bytes > maxBytes) return false
    for (const [problemId, held] of this.#kept) {
      if (this.#usedBytes + bytes <= maxBytes) break
      if (held.users === 0) await this.#forget(problemId, held)
    }
    if (this.#usedBytes + bytes > maxBytes) return false
    this.#usedBytes += bytes
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

  async #deleteSet({ folder, bytes }: HeldSet): Promise<void> {
    if (folder !== undefined) await this.#delete(folder, bytes)
  }

  /** A folder that cannot be deleted goes on to count. */
  async #delete(folder: string, bytes: number): Promise<void> {
    try {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
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
