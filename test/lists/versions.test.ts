import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { databaseKind } from '../support/database.ts'
import { ask, createMemory, openPolledWorld, pollAll } from './polled-lists.ts'
import { nothingMade, writes } from './writes.ts'

const world = await openPolledWorld()

const memory = createMemory()
const made = nothingMade()
const RUNS = databaseKind === 'postgres' ? 4 : 2

/** What a client does that has polled before: 304 where nothing is new, else the whole list. */
async function expectAnswered(before: Awaited<ReturnType<typeof pollAll>>, after: typeof before) {
  for (const { caller, url, tag, content } of before) {
    const now = after.find((polled) => polled.caller === caller && polled.url === url)
    if (now === undefined) continue
    const answer = await ask(world, caller, url, tag)
    expect(answer.status, `${caller.name} ${url}`).toBe(now.tag === tag ? 304 : 200)
    expect(answer.headers.etag).toBe(now.tag)
    if (answer.status === 304) expect(now.content).toBe(content)
  }
}

/** Takes one write after the other; after each, no list that a client keeps may be stale. */
async function takeAll(steps: readonly (readonly [name: string, pick: number])[]): Promise<Set<string>> {
  const done = new Set<string>()
  let before = await pollAll(world)
  expect(memory.findStale(before)).toEqual([])
  for (const [name, pick] of steps) {
    const answer = await writes[name]?.(world, made, pick)
    expect(answer?.status ?? 200, `${name}: ${answer?.text}`).toBeLessThan(500)
    if ((answer?.status ?? 200) < 300) done.add(name)
    const after = await pollAll(world)
    expect(memory.findStale(after), name).toEqual([])
    await expectAnswered(before, after)
    before = after
  }
  return done
}

const names = Object.keys(writes)

describe('whatever is written, by whatever route', () => {
  it('a tag never stands for two answers, after each kind of write in turn', async () => {
    const done = await takeAll(names.map((name, index) => [name, index] as const))
    expect([...done].sort()).toEqual(names.toSorted())
  }, 120_000)

  it('a tag never stands for two answers, to one caller or to two, in any order of writes', async () => {
    const step = fc.tuple(fc.constantFrom(...names), fc.nat(1000))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 12 }), async (steps) => {
        await takeAll(steps)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  }, 240_000)
})
