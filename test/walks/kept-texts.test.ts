import { describe, expect, it } from 'vitest'
import { KeptTexts } from '../../src/lists/kept-texts.ts'
import { serviceWithProblem } from '../support/judging.ts'

const { admin, user, stranger, problem } = await serviceWithProblem()

// list-versions.test.ts reads the texts after every kind of write.
describe('no text of a problem is stale [GET /v1/problems/{problem_id}]', () => {
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
