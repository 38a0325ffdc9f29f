import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeptTexts } from '../../src/lists/kept-texts.ts'
import { openPolledWorld } from '../lists/polled-lists.ts'
import { nothingMade, writes } from '../lists/writes.ts'
import { databaseKind } from '../support/database.ts'

const world = await openPolledWorld()
const { judging, eventId, participant, privateId } = world
const { admin, user, stranger, service, problem } = judging
const made = nothingMade()
const judge = { ...service.judge, token: service.judgeToken }
const readers = { admin, user, participant, stranger, judge }
const inEvent = await admin.get(`/v1/events/${eventId}/problems`)
const ofEvent: string[] = inEvent.map(({ id }: { id: number }) => `/v1/events/${eventId}/problems/${id}`)
const names = Object.keys(writes)

/** Each problem as every reader gets it, and as an instance gives it that keeps no texts. */
async function expectPresentTexts(after: string): Promise<void> {
  const problems = [problem.id, privateId, ...made.problems.slice(-3)].map((id) => `/v1/problems/${id}`)
  for (const url of [...problems, ...ofEvent]) {
    for (const [name, reader] of Object.entries(readers)) {
      const { status, text } = await reader.send('GET', url)
      const built = await world.beside.send({ method: 'GET', url, token: reader.token })
      // The id of the request differs.
      const expected = built.status === 200 ? built.text : text
      expect([status, text], `${name} ${url} after ${after}`).toEqual([built.status, expected])
    }
  }
}

describe('no text of a problem is stale [GET /v1/problems/{problem_id}]', () => {
  it('after each kind of write', async () => {
    await expectPresentTexts('nothing')
    for (const [pick, name] of names.entries()) {
      await writes[name]?.(world, made, pick)
      await expectPresentTexts(name)
    }
  })

  it('after writes in any order', async () => {
    const step = fc.tuple(fc.constantFrom(...names), fc.nat(1000))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 8 }), async (steps) => {
        for (const [name, pick] of steps) {
          await writes[name]?.(world, made, pick)
          await expectPresentTexts(name)
        }
      }),
      { numRuns: databaseKind === 'postgres' ? 4 : 1, endOnFailure: true },
    )
  })

  it('while it changes many times: each response has what was committed before its request', async () => {
    const url = `/v1/problems/${problem.id}`
    let committed = 0
    let isWriting = true
    const write = async () => {
      for (let n = 1; n <= 20; n += 1) {
        await admin.put(url, { title: `Title ${n}` })
        committed = n
      }
      isWriting = false
    }
    const read = async (by: typeof admin) => {
      while (isWriting) {
        const least = committed
        const { title } = await by.get(url)
        if (least > 0) expect(Number(title.slice('Title '.length))).toBeGreaterThanOrEqual(least)
      }
    }
    await Promise.all([write(), read(admin), read(user), read(stranger), read(admin)])
  })
})

describe('KeptTexts', () => {
  it('keeps what was read most recently, within its memory', async () => {
    const texts = new KeptTexts(10_000)
    const isKept = async (key: string) => {
      let has: string | null = null
      await texts.read(key, async (known) => {
        has = known
        return { version: '1', body: known === null ? 'x'.repeat(2000) : null }
      })
      return has !== null
    }
    const kept: boolean[] = []
    for (const key of 'abacab') kept.push(await isKept(key))
    expect(kept).toEqual([false, false, true, false, true, false])
  })

  it('does not keep a text that is larger than its memory', async () => {
    const texts = new KeptTexts(1000)
    const textFor = (known: string | null) => (known === null ? 'x'.repeat(2000) : '')
    const read = async (known: string | null) => ({ version: '1', body: textFor(known) })
    for (const _ of [1, 2]) expect(await texts.read('a', read)).toHaveLength(2000)
  })
})
