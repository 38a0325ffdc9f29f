import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Child, startChild } from '../child.ts'

describe('a process of the benchmark', () => {
  let child: Child<{ how: string; what: unknown }, unknown>
  beforeEach(() => {
    const url = new URL('./children/echo.ts', import.meta.url).href
    child = startChild(url, ['--import', 'tsx', '--conditions=source'])
  })
  afterEach(() => child.end())

  it('answers what it is asked, one question after the other, be it with nothing', async () => {
    const latenciesMs = Float64Array.of(0.5, 1.5)
    expect(await child.ask({ how: 'answer', what: { latenciesMs } })).toEqual({ latenciesMs })
    expect(await child.ask({ how: 'answer', what: undefined })).toBeUndefined()
  })

  it('throws here what it throws there', async () => {
    await expect(child.ask({ how: 'fail', what: 'too much' })).rejects.toThrow('Error: too much')
    expect(await child.ask({ how: 'answer', what: 1 })).toBe(1)
  })

  it('is not believed when it sends anything else', async () => {
    await expect(child.ask({ how: 'babble', what: 'hello' })).rejects.toThrow(
      'neither an answer nor an error',
    )
  })

  it('that ends in the middle of a question leaves nobody waiting', async () => {
    await expect(child.ask({ how: 'end', what: '' })).rejects.toThrow('ended with 3')
  })
})
