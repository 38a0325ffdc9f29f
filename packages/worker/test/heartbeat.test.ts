import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startHeartbeat } from '../src/heartbeat.ts'
import { silentLogger } from '../src/logger.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['a third of the time', 300, 100_000],
  ['at least a tenth of a second', 0.001, 100],
  ['at most an hour: longer timers of Node.js end at once', 10_000_000, 3_600_000],
])('the pause between heartbeats is %s', async (_, requeueAfterSeconds, pauseMs) => {
  const renewJudging = vi.fn(async () => 'renewed' as const)
  const api = { renewJudging, readSubmission: async () => undefined }
  const onEnd = vi.fn()
  const judging = { api, id: 'a', judging: 1, logger: silentLogger }
  const stop = startHeartbeat({ ...judging, requeueAfterSeconds, onEnd })
  await vi.advanceTimersByTimeAsync(pauseMs - 1)
  expect(renewJudging).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(renewJudging).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(pauseMs)
  expect(renewJudging).toHaveBeenCalledTimes(2)
  stop()
  expect(onEnd).not.toHaveBeenCalled()
})
