import { describe, expect, it } from 'vitest'
import type { Load, Submitted } from '../load.ts'
import { watchRecovery } from '../recovery-watch.ts'
import { describeRecovery, describeRefusals, describeUnacknowledged } from '../report.ts'

const SOON_MS = 150
const LATE_MS = 10_000

/** A watch on a load whose client gets a 201 for each `acknowledge`. */
function watch(countPending: (ids: readonly string[]) => Promise<number>, withinMs = SOON_MS) {
  const submitted: Submitted[] = []
  const acknowledged = () => submitted.filter(({ id }) => id !== undefined)
  const nothing = { shadows: [], requestShadows: async () => {}, stop: async () => {} }
  const load: Load = { submitted, acknowledged, ...nothing }
  const acknowledge = (id: string) =>
    submitted.push({
      ...{ marker: id, verdict: 'ACCEPTED', isRetrying: true, tries: 1, sentAtMs: 0, id },
      acknowledgedAtMs: performance.now(),
    })
  return { recovery: watchRecovery(load, countPending, withinMs), acknowledge }
}

describe('a fault', () => {
  it('continues while earlier submissions have no verdict', async () => {
    const counted: (readonly string[])[] = []
    const { recovery, acknowledge } = watch(async (ids) => counted.push(ids) && 1)
    acknowledge('before')
    recovery.faultEnded()
    acknowledge('after')
    expect(await recovery.firstAcknowledged()).toBe(true)
    expect(await recovery.slowest()).toBeUndefined()
    expect(new Set(counted.flat())).toEqual(new Set(['before']))
  })

  it('ends when a submission is acknowledged and the earlier ones are judged', async () => {
    let polls = 0
    const { recovery, acknowledge } = watch(async () => {
      polls += 1
      return polls < 3 ? 1 : 0
    }, LATE_MS)
    recovery.faultEnded()
    acknowledge('after')
    expect(await recovery.slowest()).toBeGreaterThan(0)
    expect(polls).toBe(3)
  })

  it('without a 201 after it fails the scenario, even after later recoveries', async () => {
    const { recovery, acknowledge } = watch(async () => 0)
    acknowledge('before')
    recovery.faultEnded()
    expect(await recovery.firstAcknowledged()).toBe(false)
    recovery.faultEnded()
    acknowledge('after')
    const failures = describeRecovery(await recovery.slowest(), SOON_MS)
    expect(failures).toEqual(['no recovery within 0.15 s after a fault'])
    expect(describeRecovery(0, SOON_MS)).toEqual([])
  })
})

it('a scenario fails after a rejected valid submission, and after a repeated request without a 201', () => {
  const sent: Submitted = { marker: '', verdict: 'ACCEPTED', tries: 1, sentAtMs: 0, isRetrying: false }
  const refused = { ...sent, refusal: '409 too late' }
  expect(describeRefusals([sent])).toEqual([])
  expect(describeRefusals([sent, refused])).toEqual(['1 valid requests were rejected: 409 too late'])
  const repeated = { ...sent, isRetrying: true }
  const failures = ['1 clients repeated their request without success']
  expect(describeUnacknowledged([sent, repeated])).toEqual(failures)
  expect(describeUnacknowledged([{ ...repeated, id: 'x' }])).toEqual([])
})
