import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeServerFolder } from '../../local-servers/server-process.ts'
import { findUntold } from '../live-readers.ts'
import type { Load, Submitted } from '../load.ts'
import { watchRecovery } from '../recovery.ts'
import { describeRecovery, describeRefusals, describeUnacknowledged } from '../report.ts'
import { findTemporaryFiles, readOpenBytes } from '../temporary-files.ts'

const SOON_MS = 150
const LATE_MS = 10_000

/** A watch on a load whose client gets a 201 for each `acknowledge`. */
function watch(countPending: (ids: readonly string[]) => Promise<number>, withinMs = SOON_MS) {
  const submitted: Submitted[] = []
  const acknowledged = () => submitted.filter(({ id }) => id !== undefined)
  const nothing = { shadows: [], requestShadows: async () => {}, stop: async () => {} }
  const load: Load = { submitted, acknowledged, ...nothing }
  const sent = { verdict: 'ACCEPTED', isRetrying: true, tries: 1, sentAtMs: 0 } as const
  const acknowledge = (id: string) =>
    submitted.push({ ...sent, marker: id, id, acknowledgedAtMs: performance.now() })
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

const stored = [
  { id: 'a', user_id: 'me', status: 'ACCEPTED', is_of_event: true },
  { id: 'b', user_id: 'me', status: 'WRONG_ANSWER', is_of_event: false },
  { id: 'c', user_id: 'other', status: 'ACCEPTED', is_of_event: true },
]

it.each<[object, isOfEvent: boolean, ...untold: string[]]>([
  [{ a: 'ACCEPTED', b: 'WRONG_ANSWER' }, false],
  [{ a: 'ACCEPTED' }, false, 'the stream has not told 1 of 2: b is WRONG_ANSWER, told nothing'],
  [{ a: 'PENDING', b: 'WRONG_ANSWER' }, false, 'the stream has not told 1 of 2: a is ACCEPTED, told PENDING'],
  [{ a: 'ACCEPTED' }, true],
])('finds what a stream that has told %j (of an event: %s) has not told', (told, isOfEvent, ...untold) => {
  const reader = { statuses: new Map(Object.entries(told)) }
  expect(findUntold(stored, [{ name: 'the stream', userId: 'me', isOfEvent, reader }])).toEqual(untold)
})

it('files with content are left, and one without a name counts while it is open', async () => {
  const { path: folder, remove } = await makeServerFolder('temporary-files')
  onTestFinished(remove)
  await writeFile(join(folder, 'empty'), '')
  expect(findTemporaryFiles(folder).ids).toEqual([])
  await writeFile(join(folder, 'upload'), 'half')
  expect(findTemporaryFiles(folder).ids).toEqual(['upload'])
  const path = join(folder, 'unnamed')
  const file = await open(path, 'wx+')
  await rm(path)
  await file.write('half')
  expect(readOpenBytes(process.pid, folder)).toBe(4)
  await file.close()
  expect(readOpenBytes(process.pid, folder)).toBe(0)
})
