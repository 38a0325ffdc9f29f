import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { choosePause, startPolling } from '../browser/shared/poll.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const refusal = (status: number, headers: Record<string, string> = {}) => {
  const body = { code: 'UNAUTHORIZED', error: 'No', message: 'No' } as const
  return new JudgeApiError(new Response(null, { status, headers }), body)
}

function open() {
  const rounds: { resolve(): void; reject(err: unknown): void; signal: AbortSignal }[] = []
  const outcomes: unknown[] = []
  const polling = startPolling({
    request: (signal) => new Promise((resolve, reject) => rounds.push({ resolve, reject, signal })),
    onRound: (err) => outcomes.push(err),
    intervalMs: 2000,
    timeoutMs: 10_000,
  })
  const end = async (err?: unknown) => {
    if (err === undefined) rounds.at(-1)?.resolve()
    else rounds.at(-1)?.reject(err)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { rounds, outcomes, polling, end }
}

describe('polling', () => {
  it('begins a round only after the one before and a pause, and aborts it if it takes too long', async () => {
    const { rounds, polling, end } = open()
    await vi.advanceTimersByTimeAsync(9000)
    expect(rounds.length).toBe(1)
    await end()
    await vi.advanceTimersByTimeAsync(1999)
    expect(rounds.length).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(rounds.length).toBe(2)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(rounds[1]?.signal.aborted).toBe(true)
    polling.stop()
  })

  it('begins the next round at once when it is asked to, also during a round', async () => {
    const { rounds, polling, end } = open()
    polling.refresh()
    await end()
    expect(rounds.length).toBe(2)
    await end()
    polling.refresh()
    await vi.advanceTimersByTimeAsync(0)
    expect(rounds.length).toBe(3)
    polling.stop()
  })

  it('tells failures, and begins no round after its end', async () => {
    const { rounds, outcomes, polling, end } = open()
    const lost = new NoResponseError('lost')
    await end(lost)
    expect(outcomes).toEqual([lost])
    polling.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(rounds.length).toBe(1)
  })
})

it.each([
  ['after a success', undefined, 0, 2000],
  ['after a first failure', new NoResponseError('lost'), 1, 3000],
  ['after many failures', new NoResponseError('lost'), 20, 15_000],
  ['after a refusal', refusal(401), 1, 30_000],
  ['that the service asks for', refusal(429, { 'retry-after': '60' }), 1, 60_000],
  ['that a proxy asks for', refusal(503, { 'retry-after': '5' }), 1, 5000],
  ['that is asked for, at most', refusal(503, { 'retry-after': '9999' }), 1, 120_000],
])('the pause %s', (_, err, failures, pauseMs) => {
  expect(choosePause(err, failures, 2000)).toBe(pauseMs)
})
