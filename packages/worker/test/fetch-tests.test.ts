import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../src/service/service-error.ts'
import { read, useTestCache } from './support/test-cache-setup.ts'

const setup = useTestCache()
const { openCache, addProblem, replaceInputs, statuses, listFolders, listFiles } = setup
const [MANIFEST, INPUT, ANSWER] = ['test_cases', 'test_cases/*/input', 'test_cases/*/answer'].map(
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

  it('that a proxy cuts are an error of the service, without a folder', async () => {
    setup.service.lostBytes = 1
    await expect(read(openCache(), addProblem('a'))).rejects.toThrow('a test case was cut')
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
    const cache = openCache()
    const readOptions = (problem: number) => cache.withTests(problem, async (tests) => tests?.options)
    const problem = addProblem('a')
    for (let n = 0; n < 2; n += 1) expect(await readOptions(problem)).toEqual(options)
  })
})
