import { randomUUID } from 'node:crypto'
import { rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../src/service/service-error.ts'
import { createLatch } from '../src/shared/latch.ts'
import { BLOCK_BYTES, read, readAll, useTestCache, useTests } from './support/test-cache-setup.ts'
import { waitFor } from './support/wait.ts'

const setup = useTestCache()
const { openCache, addProblem, replaceInputs, statuses, listFolders, listFiles, countBlocks } = setup

/** A cache that keeps the tests of a problem with these inputs. */
async function keepTests(...inputs: string[]) {
  const [cache, problem] = [openCache(), addProblem(...inputs)]
  await read(cache, problem)
  return { cache, problem }
}

const [MANIFEST = '', INPUT, ANSWER] = ['test_cases', 'test_cases/*/input', 'test_cases/*/answer'].map(
  (end) => `GET /v1/problem_description/${end}`,
)
const WHOLE = 'GET /v1/problem_description/tests'

function takeRequests(): string[] {
  return setup.service.requests.splice(0).filter((route) => route.includes('problem_description'))
}

const texts = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => `${n}`.padEnd(length, 'ü\n"\\'))

describe('the tests of a problem', () => {
  it('are fetched in parts if they are large, later only those that have changed', async () => {
    const [cache, inputs] = [openCache(2 ** 24), texts(5, 300_000)]
    const problem = addProblem(...inputs)
    expect(await read(cache, problem)).toEqual(inputs)
    expect(takeRequests().sort()).toEqual([MANIFEST, ...Array(5).fill(ANSWER), ...Array(5).fill(INPUT)])
    const changed = inputs.with(3, 'new')
    replaceInputs(problem, ...changed)
    for (let n = 0; n < 2; n += 1) expect(await read(cache, problem)).toEqual(changed)
    expect(takeRequests()).toEqual([MANIFEST, INPUT, ANSWER, MANIFEST])
    expect(statuses()).toEqual([200, 200, 304])
    // The old set is deleted: nothing shares its files any more.
    expect(await listFolders()).toHaveLength(1)
    for (const file of await listFiles()) expect((await stat(file)).nlink).toBe(1)
  })

  it('are fetched with one request if they are many and small', async () => {
    const [cache, inputs] = [openCache(), texts(40, 20)]
    const problem = addProblem(...inputs)
    for (let n = 0; n < 2; n += 1) expect(await read(cache, problem)).toEqual(inputs)
    expect(takeRequests()).toEqual([MANIFEST, WHOLE, MANIFEST, MANIFEST])
    expect(statuses()).toEqual([200, 200, 304, 304])
  })

  it.each([
    ['of many small ones', 40, 20, WHOLE],
    ['of a few', 2, 20, INPUT],
    ['of a few, between the texts of one,', 2, 20, ANSWER],
  ])('%s are never a mixture of old and new texts', async (_, count, length, route) => {
    const [cache, inputs] = [openCache(), texts(count, length)]
    const problem = addProblem(...inputs)
    let changes = 0
    setup.service.onRequest.push((requested) => {
      if (requested !== route || changes === 2) return
      changes += 1
      replaceInputs(problem, ...inputs.map((input) => `${input} ${changes}`))
    })
    expect(await read(cache, problem)).toEqual(inputs.map((input) => `${input} 2`))
  })

  it('that change all the time are an error of the service, without a folder', async () => {
    const problem = addProblem('a')
    setup.service.onRequest.push((route) => {
      if (route === INPUT || route === MANIFEST) replaceInputs(problem, randomUUID())
    })
    await expect(read(openCache(), problem)).rejects.toThrow(ServiceError)
    expect(await listFolders()).toEqual([])
  })

  it('are fetched without one that was deleted during the requests', async () => {
    const problem = addProblem('a', 'b')
    setup.service.onRequest.push((route) => {
      const [submission] = setup.service.submissions.values()
      if (route === INPUT && submission) submission.test_cases = submission.test_cases?.slice(0, 1)
    })
    expect(await read(openCache(), problem)).toEqual(['a'])
  })

  it('may be empty', async () => {
    const inputs = ['', 'a']
    expect(await read(openCache(), addProblem(...inputs))).toEqual(inputs)
    expect(takeRequests()).toContain(INPUT)
  })

  it.each([
    ['without an entity tag', { hasTags: false }, 'the response has no ETag'],
    ['that a proxy cuts', { lostBytes: 1 }, 'a test case was cut'],
  ])('%s are an error of the service, without a folder', async (_, fault, message) => {
    Object.assign(setup.service, fault)
    await expect(read(openCache(), addProblem('a'))).rejects.toThrow(message)
    expect(await listFolders()).toEqual([])
  })

  it('have their judging options, as the service sends them', async () => {
    const files = [{ name: 'check.py', content: 'exit(42)' }]
    const options = {
      validation: { type: 'custom', files, language: 'Python', flags: 'strict' },
      test_groups: [{ name: 'all', points: 1.5, aggregation: 'min', cases: [1] }],
      ...{ run: 'all', limits: { output: 5, time_multipliers: { Python: 3 } } },
    }
    setup.service.options = options
    const [cache, problem] = [openCache(), addProblem('a')]
    for (let n = 0; n < 2; n += 1)
      expect(await cache.withTests(problem, async (tests) => tests?.options)).toEqual(options)
    setup.service.options = {}
    expect(await cache.withTests(addProblem('b'), async (tests) => tests?.options)).toEqual({})
  })
})

describe('kept tests', () => {
  it('have every field of the fetched tests', async () => {
    const cache = openCache()
    const problem = addProblem('a', 'ä\r\n\u2028', '€'.repeat(100_000))
    const fetched = await cache.withTests(problem, readAll)
    const sent = [...setup.service.submissions.values()][0]?.test_cases
    expect(fetched).toEqual(
      sent?.map(({ id, input, hidden }) => ({ id, input, expectedOutput: `${input}!`, hidden })),
    )
    expect(await cache.withTests(problem, readAll)).toEqual(fetched)
    expect(await cache.withTests(problem, async (tests) => tests?.size)).toBe(3)
  })

  it('are readable by the worker only, and deleted when the problem was deleted', async () => {
    const { cache, problem } = await keepTests('a')
    const [name = ''] = await listFolders()
    expect((await stat(join(setup.folder, name))).mode & 0o777).toBe(0o700)
    for (const file of await listFiles()) expect((await stat(file)).mode & 0o777).toBe(0o644)
    for (const submission of setup.service.submissions.values()) submission.test_cases = undefined
    expect(await cache.withTests(problem, async (tests) => tests)).toBeUndefined()
    expect(await listFolders()).toEqual([])
  })
})

it.each([
  ['0 bytes', 0],
  ['a byte less', 3 * BLOCK_BYTES - 1],
])('tests are deleted after their use if the limit is %s', async (_, maxBytes) => {
  const [cache, problem] = [openCache(maxBytes), addProblem('a')]
  for (let n = 0; n < 2; n += 1) expect(await read(cache, problem)).toEqual(['a'])
  expect([statuses(), await listFolders()]).toEqual([[200, 200], []])
})

it.each([
  ['is missing', (file: string) => rm(file)],
  ['is shorter', (file: string) => truncate(file, 1)],
  ['has other content', (file: string) => writeFile(file, 'b?')],
])('a damaged set is fetched again and read from the start if a file %s', async (_, damage) => {
  const { cache, problem } = await keepTests('a', 'c')
  for (const file of await listFiles()) await damage(file)
  expect(await read(cache, problem)).toEqual(['a', 'c'])
  expect(statuses()).toEqual([200, 304, 200])
  expect(await listFolders()).toHaveLength(1)
  expect(setup.logged).toContain('kept tests are damaged')
  for (const file of await listFiles()) await damage(file)
  const reads = await Promise.all(Array.from({ length: 5 }, () => read(cache, problem)))
  expect(reads, 'at the same time').toEqual(reads.map(() => ['a', 'c']))
})

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
    const [cache, problem] = [openCache(), addProblem('a')]
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
    const [cache, problem] = [openCache(), addProblem('a')]
    const reads = await Promise.all(Array.from({ length: 10 }, () => read(cache, problem)))
    expect(reads).toEqual(reads.map(() => ['a']))
    // One check for all that began during the first request.
    expect(statuses()).toEqual([200, 304])
    expect(await listFolders()).toHaveLength(1)
  })

  it('never use tests from a request that began earlier', async () => {
    const { cache, problem } = await keepTests('old')
    const held = createLatch()
    setup.service.heldTests.set(problem, held.opened)
    const first = read(cache, problem)
    await waitFor('the first request', () => statuses().length === 2)
    replaceInputs(problem, 'new')
    const later = [read(cache, problem), read(cache, problem)]
    held.open()
    expect(await Promise.all([first, ...later])).toEqual([['old'], ['new'], ['new']])
    expect(statuses()).toEqual([200, 304, 200])
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
    const [cache, problem] = [openCache(), addProblem('a')]
    setup.service.statuses.set(MANIFEST, [503, 503])
    const reads = await Promise.allSettled(Array.from({ length: 5 }, () => read(cache, problem)))
    for (const result of reads) expect(result).toMatchObject({ reason: expect.any(ServiceError) })
    expect(await read(cache, problem)).toEqual(['a'])
    setup.service.statuses.set(MANIFEST, [503])
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
