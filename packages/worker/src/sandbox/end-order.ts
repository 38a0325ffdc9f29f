import { setTimeout as sleep } from 'node:timers/promises'
import type { PairResult } from './sandbox.ts'

type Name = PairResult['endedFirst']

/** Which of two connected programs ended first. */
export interface EndOrder {
  /** Reports the end of a program. `show` is called before the other program can notice it. */
  report(name: Name, show: () => void): void
  /** Resolves after a program's end was reported, or after 100 ms: it has only closed its pipe. */
  known(name: Name): Promise<void>
  /** Resolves after the first end. */
  first(): Promise<Name>
}

// The kernel closes the pipes of a program a few milliseconds before the worker learns of its end.
const REPORT_MS = 100

/**
 * A program learns of the other's end only after it was reported: its own end is then later. Two
 * ends in one turn of the event loop are simultaneous; then the validator's counts as the first.
 */
export function createEndOrder(): EndOrder {
  const reported: Name[] = []
  const ends = { program: createEvent<void>(), validator: createEvent<void>() }
  const first = createEvent<Name>()
  return {
    report(name, show) {
      reported.push(name)
      setImmediate(() => {
        first.resolve(reported.length > 1 ? 'validator' : name)
        show()
        ends[name].resolve()
      })
    },
    known: (name) => Promise.race([ends[name].promise, sleep(REPORT_MS, undefined, { ref: false })]),
    first: () => first.promise,
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
