import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Child, startChild } from '../child.ts'

describe('a child process of the benchmark', () => {
  let child: Child<{ how: string; what: unknown }, unknown>
  beforeEach(() => {
    const url = new URL('./children/echo.ts', import.meta.url).href
    child = startChild(url, ['--import', 'tsx', '--conditions=source'])
  })
  afterEach(() => child.end())

  it('replies to one request after the other, also with undefined', async () => {
    const latenciesMs = Float64Array.of(0.5, 1.5)
    expect(await child.call({ how: 'reply', what: { latenciesMs } })).toEqual({ latenciesMs })
    expect(await child.call({ how: 'reply', what: undefined })).toBeUndefined()
  })

  it('passes its errors to the parent, and continues', async () => {
    await expect(child.call({ how: 'fail', what: 'too much' })).rejects.toThrow('Error: too much')
    expect(await child.call({ how: 'reply', what: 1 })).toBe(1)
  })

  it('fails the call with an unexpected message', async () => {
    await expect(child.call({ how: 'babble', what: 'hello' })).rejects.toThrow('sent no reply')
  })

  it('fails the call when it ends', async () => {
    await expect(child.call({ how: 'end', what: '' })).rejects.toThrow('ended with 3')
  })
})
