import { describe, expect, it } from 'vitest'
import { createLatch } from '../src/latch.ts'
import { ServiceError } from '../src/service-error.ts'
import { BLOCK_BYTES, read, useTestCache, useTests } from './support/test-cache-setup.ts'
import { waitFor } from './support/wait.ts'

const setup = useTestCache()
const { openCache, addProblem, replaceInputs, statuses, listFolders, countBlocks } = setup

describe('the limit in bytes', () => {
  it('deletes the least recently used set first', async () => {
    const cache = openCache(6 * BLOCK_BYTES)
    const [first, second, third] = [addProblem('1'), addProblem('2'), addProblem('3')]
    for (const problem of [first, second, first, third]) await read(cache, problem)
    expect(await listFolders()).toHaveLength(2)
    setup.service.testsResponses.length = 0
    for (const problem of [first, third, second]) await read(cache, problem)
    expect(statuses()).toEqual([304, 304, 200])
  })

  it('is never exceeded by the sets that are kept after use at the same time', async () => {
    const cache = openCache(10 * BLOCK_BYTES)
    const inputs = Array.from({ length: 8 }, (_, n) => Array<string>(1 + (n % 3)).fill(`${n}`))
    const problems = inputs.map((texts) => addProblem(...texts))
    for (let round = 0; round < 5; round += 1) {
      const uses = await Promise.all(problems.map((problem) => useTests(cache, problem)))
      expect(await Promise.all(uses.map((use) => use.end()))).toEqual(inputs)
      expect(await countBlocks()).toBeGreaterThan(5)
      expect(await countBlocks()).toBeLessThanOrEqual(10)
    }
  })

  it('never deletes a set in use: other sets that do not fit are not kept', async () => {
    const cache = openCache(3 * BLOCK_BYTES)
    const [first, second] = [addProblem('1'), addProblem('2')]
    const use = await useTests(cache, first)
    expect(await read(cache, second)).toEqual(['2'])
    expect(await use.end()).toEqual(['1'])
    setup.service.testsResponses.length = 0
    await read(cache, first)
    expect(statuses()).toEqual([304])
  })

  it('deletes a replaced set after its last use', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    const uses = [await useTests(cache, problem), await useTests(cache, problem)]
    replaceInputs(problem, 'b')
    expect(await read(cache, problem)).toEqual(['b'])
    for (const use of uses) {
      expect(await listFolders()).toHaveLength(2)
      expect(await use.end()).toEqual(['a'])
    }
    expect(await listFolders()).toHaveLength(1)
    expect(await read(cache, problem)).toEqual(['b'])
  })
})

describe('judgings at the same time', () => {
  it('of one problem share a request', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    const reads = await Promise.all(Array.from({ length: 10 }, () => read(cache, problem)))
    expect(reads).toEqual(reads.map(() => ['a']))
    // One check for all that began during the first request.
    expect(statuses()).toEqual([200, 304])
    expect(await listFolders()).toHaveLength(1)
  })

  it('never use tests from a request that began earlier', async () => {
    const cache = openCache()
    const problem = addProblem('old')
    setup.service.hasParts = false
    const held = createLatch()
    setup.service.heldTests.set(problem, held.opened)
    const first = read(cache, problem)
    await waitFor('the first request', () => statuses().length === 1)
    replaceInputs(problem, 'new')
    const later = [read(cache, problem), read(cache, problem)]
    held.open()
    expect(await Promise.all([first, ...later])).toEqual([['old'], ['new'], ['new']])
    expect(statuses()).toEqual([200, 200])
  })

  it('do not wait for requests of other problems', async () => {
    const cache = openCache()
    const [large, small] = [addProblem('x'.repeat(1000)), addProblem('a')]
    const held = createLatch()
    setup.service.heldTests.set(large, held.opened)
    const slow = read(cache, large)
    await waitFor('the slow request', () => statuses().length === 1)
    expect(await read(cache, small)).toEqual(['a'])
    held.open()
    expect(await slow).toEqual(['x'.repeat(1000)])
  })

  it('all fail when the service fails; the next one works, with the set on disk', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    setup.service.statuses.set('GET /v1/problem_description/test_cases', [503, 503])
    const reads = await Promise.allSettled(Array.from({ length: 5 }, () => read(cache, problem)))
    for (const result of reads) expect(result).toMatchObject({ reason: expect.any(ServiceError) })
    expect(await read(cache, problem)).toEqual(['a'])
    setup.service.statuses.set('GET /v1/problem_description/test_cases', [503])
    await expect(read(cache, problem)).rejects.toThrow(ServiceError)
    expect(await read(cache, problem)).toEqual(['a'])
    expect(statuses()).toEqual([200, 304])
  })

  it('throw errors of their use and release the set', async () => {
    const cache = openCache(3 * BLOCK_BYTES)
    const [first, second] = [addProblem('1'), addProblem('2')]
    const failing = cache.withTests(first, () => Promise.reject(new Error('no sandbox')))
    await expect(failing).rejects.toThrow('no sandbox')
    for (let n = 0; n < 2; n += 1) await read(cache, second)
    expect(statuses()).toEqual([200, 200, 304])
  })
})
