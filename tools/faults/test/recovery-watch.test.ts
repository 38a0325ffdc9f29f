import { describe, expect, it } from 'vitest'
import type { Load, Submitted } from '../load.ts'
import { watchRecovery } from '../recovery-watch.ts'
import { describeRecovery, describeRefusals, describeUnacknowledged } from '../result.ts'

const SOON_MS = 150
const LATE_MS = 10_000

function makeLoad() {
  const submitted: Submitted[] = []
  const load: Load = {
    submitted,
    acknowledged: () => submitted.filter(({ id }) => id !== undefined),
    stop: async () => {},
  }
  const acknowledge = (id: string) =>
    submitted.push({
      ...{ marker: id, verdict: 'ACCEPTED', isRetrying: true, tries: 1, id },
      acknowledgedAtMs: performance.now(),
    })
  return { load, acknowledge }
}

describe('a fault', () => {
  it('continues while no submission is acknowledged after it', async () => {
    const { load, acknowledge } = makeLoad()
    acknowledge('before')
    const recovery = watchRecovery(load, async () => 0, SOON_MS)
    recovery.faultEnded()
    expect(await recovery.firstAcknowledged()).toBe(false)
    expect(await recovery.slowest()).toBeUndefined()
  })

  it('continues while earlier submissions have no verdict', async () => {
    const { load, acknowledge } = makeLoad()
    acknowledge('before')
    const counted: (readonly string[])[] = []
    const recovery = watchRecovery(load, async (ids) => counted.push(ids) && 1, SOON_MS)
    recovery.faultEnded()
    acknowledge('after')
    expect(await recovery.firstAcknowledged()).toBe(true)
    expect(await recovery.slowest()).toBeUndefined()
    expect(new Set(counted.flat())).toEqual(new Set(['before']))
  })

  it('continues while the database is unreachable', async () => {
    const { load, acknowledge } = makeLoad()
    const recovery = watchRecovery(load, () => Promise.reject(new Error('unreachable')), SOON_MS)
    recovery.faultEnded()
    acknowledge('after')
    expect(await recovery.slowest()).toBeUndefined()
  })

  it('ends when a submission is acknowledged and the earlier ones are judged; the slowest counts', async () => {
    const { load, acknowledge } = makeLoad()
    let polls = 0
    const countPending = async () => {
      polls += 1
      return polls < 3 ? 1 : 0
    }
    const startedAtMs = performance.now()
    const recovery = watchRecovery(load, countPending, LATE_MS)
    recovery.faultEnded()
    acknowledge('after')
    const slowestMs = await recovery.slowest()
    expect(polls).toBe(3)
    expect(slowestMs).toBeGreaterThan(0)
    expect(slowestMs).toBeLessThanOrEqual(performance.now() - startedAtMs)
  })

  it('without a recovery fails the scenario, even after later recoveries', async () => {
    const { load, acknowledge } = makeLoad()
    const recovery = watchRecovery(load, async () => 0, SOON_MS)
    recovery.faultEnded()
    await recovery.firstAcknowledged()
    recovery.faultEnded()
    acknowledge('after')
    expect(describeRecovery(await recovery.slowest(), SOON_MS)).toEqual([
      'no recovery within 0.15 s after a fault',
    ])
    expect(describeRecovery(0, SOON_MS)).toEqual([])
  })
})

describe('the clients of a scenario', () => {
  const sent = { marker: '', verdict: 'ACCEPTED', tries: 1 } as const

  it('fail it when a valid submission is rejected', () => {
    const refused = { ...sent, isRetrying: false, refusal: '409 too late' }
    expect(describeRefusals([{ ...sent, isRetrying: false }, refused])).toEqual([
      '1 valid submissions were rejected: 409 too late',
    ])
    expect(describeRefusals([{ ...sent, isRetrying: false }])).toEqual([])
  })

  it('fail it when a repeated request is never acknowledged', () => {
    const failed = { ...sent, isRetrying: true }
    expect(describeUnacknowledged([failed, { ...sent, isRetrying: false }])).toEqual([
      '1 clients repeated their request without success',
    ])
    expect(describeUnacknowledged([{ ...failed, id: 'x' }])).toEqual([])
  })
})
