import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type WatchedRun, watchLimits } from '../../src/sandbox/watch-limits.ts'

const wallMs = 1000
const intervalMs = 25
// Those of the sandbox around the program.
const outerProcesses = 2

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Begins to watch a run that has one process more than its sandbox, with these changes. */
function watch(meter: Partial<WatchedRun['meter']> = {}) {
  const kill = vi.fn()
  const usage = { cpuMs: 1, peakMemoryBytes: 1, outOfMemory: false }
  const measured = { sample: () => usage, readCpuWaitMs: () => 0, countProcesses: () => outerProcesses + 1 }
  const limits = { wallMs, cpuMs: 500 }
  const run = { limits, intervalMs, launch: { outerProcesses }, streams: { isConnected: false } }
  const watched = watchLimits({ kill }, { ...run, meter: { ...measured, ...meter }, signal: undefined })
  watched.begin()
  const readResult = () => ({
    ...{
      exceeded: watched.exceeded(),
      isKilled: kill.mock.calls.length > 0,
      lateMs: watched.waited().lateMs,
    },
  })
  return { ...watched, readResult }
}

it('stops a program that runs at its wall limit, and not before', () => {
  const watched = watch()
  vi.advanceTimersByTime(wallMs - 1)
  expect(watched.readResult()).toMatchObject({ exceeded: undefined, isKilled: false })
  vi.advanceTimersByTime(1)
  expect(watched.readResult()).toMatchObject({ exceeded: 'time', isKilled: true })
  expect(watched.readResult().lateMs).toBeLessThan(wallMs / 10)
})

it.each([
  ['did not exceed its wall limit if its end is known later', true, undefined],
  ['is stopped if its end is not known for long', false, 'time'],
])('a program whose processes have ended %s', (_, isKnown, exceeded) => {
  let processes = outerProcesses + 1
  const watched = watch({ countProcesses: () => processes })
  vi.advanceTimersByTime(wallMs / 2)
  processes = outerProcesses
  vi.advanceTimersByTime(2 * wallMs)
  if (isKnown) watched.end()
  vi.advanceTimersByTime(60_000)
  expect(watched.readResult()).toMatchObject({ exceeded, isKilled: !isKnown })
  if (!isKnown) expect(watched.readResult().lateMs).toBeGreaterThan(wallMs)
})

it('a program that has not started waits for its start', () => {
  const watched = watch({ countProcesses: () => outerProcesses })
  vi.advanceTimersByTime(wallMs)
  expect(watched.readResult()).toEqual({ exceeded: 'time', isKilled: true, lateMs: wallMs })
})

it('time in which nobody watched counts as waiting', () => {
  const watched = watch()
  vi.advanceTimersByTime(wallMs / 2)
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + wallMs / 4)
  vi.advanceTimersByTime(intervalMs)
  expect(watched.readResult().lateMs).toBeGreaterThan(wallMs / 5)
  clock.mockRestore()
})
