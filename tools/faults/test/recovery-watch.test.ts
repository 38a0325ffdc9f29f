import { describe, expect, it } from 'vitest'
import type { Load, Submitted } from '../load.ts'
import { watchRecovery } from '../recovery-watch.ts'
import { describeRecovery, describeRefusals, describeUnacknowledged } from '../result.ts'

const SOON_MS = 150
const LATE_MS = 10_000

/** A load whose submissions the test acknowledges itself. */
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
  it('is not over while nothing is acknowledged after it', async () => {
    const { load, acknowledge } = makeLoad()
    acknowledge('before')
    const recovery = watchRecovery(load, async () => 0, SOON_MS)
    recovery.faultEnded()
    expect(await recovery.firstAcknowledged()).toBe(false)
    expect(await recovery.slowest()).toBeUndefined()
  })

  it('is not over while what was acknowledged before has no verdict', async () => {
    const { load, acknowledge } = makeLoad()
    acknowledge('before')
    const asked: (readonly string[])[] = []
    const recovery = watchRecovery(load, async (ids) => asked.push(ids) && 1, SOON_MS)
    recovery.faultEnded()
    acknowledge('after')
    expect(await recovery.firstAcknowledged()).toBe(true)
    expect(await recovery.slowest()).toBeUndefined()
    expect(new Set(asked.flat())).toEqual(new Set(['before']))
  })

  it('is not over while nobody can say how many have no verdict', async () => {
    const { load, acknowledge } = makeLoad()
    const recovery = watchRecovery(load, () => Promise.reject(new Error('the database is away')), SOON_MS)
    recovery.faultEnded()
    acknowledge('after')
    expect(await recovery.slowest()).toBeUndefined()
  })

  it('is over once a submission is acknowledged after it and the earlier ones are judged; the slowest counts', async () => {
    const { load, acknowledge } = makeLoad()
    let asked = 0
    const countPending = async () => {
      asked += 1
      return asked < 3 ? 1 : 0
    }
    const startedAtMs = performance.now()
    const recovery = watchRecovery(load, countPending, LATE_MS)
    recovery.faultEnded()
    acknowledge('after')
    const slowestMs = await recovery.slowest()
    expect(asked).toBe(3)
    expect(slowestMs).toBeGreaterThan(0)
    expect(slowestMs).toBeLessThanOrEqual(performance.now() - startedAtMs)
  })

  it('that is not over makes the scenario wrong, whatever came after it', async () => {
    const { load, acknowledge } = makeLoad()
    const recovery = watchRecovery(load, async () => 0, SOON_MS)
    recovery.faultEnded()
    await recovery.firstAcknowledged()
    recovery.faultEnded()
    acknowledge('after')
    expect(describeRecovery(await recovery.slowest(), SOON_MS)).toEqual([
      'not as before within 0.15 s of a fault',
    ])
    expect(describeRecovery(0, SOON_MS)).toEqual([])
  })
})

describe('what clients saw', () => {
  const sent = { marker: '', verdict: 'ACCEPTED', tries: 1 } as const

  it('is wrong where a right submission was refused', () => {
    const refused = { ...sent, isRetrying: false, refusal: '409 too late' }
    expect(describeRefusals([{ ...sent, isRetrying: false }, refused])).toEqual([
      '1 right submissions were refused: 409 too late',
    ])
    expect(describeRefusals([{ ...sent, isRetrying: false }])).toEqual([])
  })

  it('is wrong where one tried again and again and was never acknowledged', () => {
    const inVain = { ...sent, isRetrying: true }
    expect(describeUnacknowledged([inVain, { ...sent, isRetrying: false }])).toEqual([
      '1 clients tried again and again in vain',
    ])
    expect(describeUnacknowledged([{ ...inVain, id: 'x' }])).toEqual([])
  })
})
