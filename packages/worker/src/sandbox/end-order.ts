import { setTimeout as sleep } from 'node:timers/promises'
import { createLatch } from '../shared/latch.ts'
import { tryOr } from '../shared/try-or.ts'
import type { PairResult } from './sandbox.ts'

type Name = PairResult['endedFirst']

// The kernel closes the pipes of a program some time before the worker learns of its end: a few
// milliseconds, or seconds on a busy machine. Then the program no longer runs.
const REPORT_MS = 100
const MOST_REPORTS = 100

/**
 * Which of two connected programs ended first. A program learns of the other's end only after it
 * was reported: its own end is then later. Two ends in one turn of the event loop are simultaneous;
 * then the validator's counts as the first.
 */
export function createEndOrder() {
  const reported: Name[] = []
  const ends = { program: createLatch(), validator: createLatch() }
  const first = createLatch<Name>()
  const running: Partial<Record<Name, () => boolean>> = {}
  return {
    /** `isRunning` tells whether a started program has not ended. */
    start(name: Name, isRunning: () => boolean) {
      running[name] = isRunning
    },
    /** Reports the end of a program. `show` is called before the other program can notice it. */
    report(name: Name, show: () => void) {
      reported.push(name)
      setImmediate(() => {
        first.open(reported.length > 1 ? 'validator' : name)
        show()
        ends[name].open()
      })
    },
    /** Resolves after a program's end was reported, or when it only closed its pipe and goes on. */
    async known(name: Name): Promise<void> {
      const ended = ends[name].opened.then(() => true)
      for (let count = 0; count < MOST_REPORTS; count += 1) {
        if (await Promise.race([ended, sleep(REPORT_MS, false, { ref: false })])) return
        // If that cannot be read, the run has ended or failed.
        if (tryOr(() => running[name]?.() ?? false, false)) return
      }
    },
    first: () => first.opened,
  }
}
