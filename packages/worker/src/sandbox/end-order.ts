import { setTimeout as sleep } from 'node:timers/promises'
import type { PairResult } from './sandbox.ts'

type Name = PairResult['endedFirst']

/** Which of two connected programs ended first. */
export interface EndOrder {
  /** `isRunning` tells whether a started program has not ended. */
  start(name: Name, isRunning: () => boolean): void
  /** Reports the end of a program. `show` is called before the other program can notice it. */
  report(name: Name, show: () => void): void
  /** Resolves after a program's end was reported, or when it only closed its pipe and goes on. */
  known(name: Name): Promise<void>
  /** Resolves after the first end. */
  first(): Promise<Name>
}

// The kernel closes the pipes of a program some time before the worker learns of its end: a few
// milliseconds, or seconds on a busy machine. Then the program no longer runs.
const REPORT_MS = 100
const MOST_REPORTS = 100

/**
 * A program learns of the other's end only after it was reported: its own end is then later. Two
 * ends in one turn of the event loop are simultaneous; then the validator's counts as the first.
 */
export function createEndOrder(): EndOrder {
  const reported: Name[] = []
  const ends = { program: createEvent<void>(), validator: createEvent<void>() }
  const first = createEvent<Name>()
  const running: Partial<Record<Name, () => boolean>> = {}
  return {
    start(name, isRunning) {
      running[name] = isRunning
    },
    report(name, show) {
      reported.push(name)
      setImmediate(() => {
        first.resolve(reported.length > 1 ? 'validator' : name)
        show()
        ends[name].resolve()
      })
    },
    async known(name) {
      const ended = ends[name].promise.then(() => true)
      for (let count = 0; count < MOST_REPORTS; count += 1) {
        if (await Promise.race([ended, sleep(REPORT_MS, false, { ref: false })])) return
        if (isStillRunning(running[name])) return
      }
    },
    first: () => first.promise,
  }
}

/** False also if that cannot be read: the run has ended or failed. */
function isStillRunning(isRunning: (() => boolean) | undefined): boolean {
  try {
    return isRunning?.() ?? false
  } catch {
    return false
  }
}

/** A promise and its first `resolve`; later calls have no effect. */
function createEvent<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve: (value: T) => resolve(value) }
}
