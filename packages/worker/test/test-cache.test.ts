import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpSession } from '../src/http-session.ts'
import type { TestCase } from '../src/judge.ts'
import { createJudgeApi } from '../src/judge-api.ts'
import { createJsonLogger } from '../src/logger.ts'
import { ServiceError } from '../src/service-error.ts'
import { TestCache } from '../src/test-cache.ts'
import { type TestSet, UnreadableTests } from '../src/test-set.ts'
import { type JudgeService, startJudgeService } from './support/judge-service.ts'
import { waitFor } from './support/wait.ts'

const PASSWORD = 'password-of-the-judge'
/** What a set of a few small cases takes: a block for its folder and one for each case. */
const BLOCK_BYTES = 4096

let service: JudgeService
let folder: string
let logged: string

beforeEach(async () => {
  service = await startJudgeService(PASSWORD)
  folder = await mkdtemp(join(tmpdir(), 'test-cache-'))
  logged = ''
})
afterEach(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

function openCache(maxBytes = 2 ** 20): TestCache {
  const session = createHttpSession({
    apiUrl: service.url,
    judgePassword: PASSWORD,
    signal: new AbortController().signal,
  })
  const logger = createJsonLogger((line) => {
    logged += line
  })
  return new TestCache({ api: createJudgeApi(session), folder, maxBytes, logger })
}

/** Makes a problem whose test cases have these inputs; answers its id. */
function addProblem(...inputs: string[]): number {
  const tests = inputs.map((input) => ({ input, expected_output: `${input}!` }))
  const id = service.addSubmission({ language: 'js', source_code: '', tests })
  return service.submissions.get(id)?.problem_id ?? 0
}

function replaceTests(problemId: number, change: (inputs: string) => string): void {
  for (const submission of service.submissions.values()) {
    if (submission.problem_id !== problemId) continue
    submission.test_cases = submission.test_cases?.map((test) => ({ ...test, input: change(test.input) }))
  }
}

async function readAll(tests: TestSet | undefined): Promise<TestCase[]> {
  const read: TestCase[] = []
  for await (const testCase of tests ?? []) read.push(testCase)
  return read
}

const inputsOf = async (tests: TestSet | undefined) => (await readAll(tests)).map(({ input }) => input)

const read = (cache: TestCache, problemId: number) => cache.withTests(problemId, inputsOf)

const statuses = () => service.testsAnswers.map(({ status }) => status)

/** A promise with its end. */
function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
}

/** Begins to use a problem's tests; `end` reads them and stops using them. */
async function useTests(cache: TestCache, problemId: number) {
  const [begun, ending] = [gate(), gate()]
  const used = cache.withTests(problemId, async (tests) => {
    begun.open()
    await ending.passed
    return inputsOf(tests)
  })
  await Promise.race([begun.passed, used])
  return {
    end: () => {
      ending.open()
      return used
    },
  }
}

/** The kept sets on disk. */
const listFolders = () => readdir(folder)

async function listFiles(): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const countBlocks = async () => (await listFolders()).length + (await listFiles()).length

describe('kept tests', () => {
  it('are fetched once, and checked by their tag with every judging', async () => {
    const cache = openCache()
    const problem = addProblem('a', 'ä\r\n\u2028', 'c')
    for (let n = 0; n < 3; n += 1) expect(await read(cache, problem)).toEqual(['a', 'ä\r\n\u2028', 'c'])
    expect(statuses()).toEqual([200, 304, 304])
  })

  it('are the same as those that were fetched, in every field', async () => {
    const cache = openCache()
    const problem = addProblem('a', '€'.repeat(100_000))
    const fetched = await cache.withTests(problem, readAll)
    const sent = [...service.submissions.values()][0]?.test_cases
    expect(fetched).toEqual(
      sent?.map(({ id, input, hidden }) => ({ id, input, expectedOutput: `${input}!`, hidden })),
    )
    expect(await cache.withTests(problem, readAll)).toEqual(fetched)
    expect(await cache.withTests(problem, async (tests) => tests?.size)).toBe(2)
  })

  it('are replaced as soon as the service has others, and the old ones deleted', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    await read(cache, problem)
    const before = await listFolders()
    replaceTests(problem, () => 'b')
    expect(await read(cache, problem)).toEqual(['b'])
    expect(await listFolders()).toHaveLength(1)
    expect(await listFolders()).not.toEqual(before)
  })

  it('are deleted when the problem is gone', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    await read(cache, problem)
    for (const submission of service.submissions.values()) submission.test_cases = undefined
    expect(await cache.withTests(problem, async (tests) => tests)).toBeUndefined()
    expect(await listFolders()).toEqual([])
  })

  it('can be read and entered by the worker alone', async () => {
    await read(openCache(), addProblem('a'))
    const [name = ''] = await listFolders()
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700)
    for (const file of await listFiles()) expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('are read case by case, when each is due', async () => {
    const cache = openCache()
    const problem = addProblem('a', 'b', 'c')
    await read(cache, problem)
    await cache.withTests(problem, async (tests) => {
      for await (const { input } of tests ?? []) {
        expect(input).toBe('a')
        break
      }
    })
    const use = cache.withTests(problem, async (tests) => {
      for await (const { input } of tests ?? []) if (input === 'a') await damageLastFile()
    })
    // The last case was not read before it was damaged.
    await expect(use).rejects.toThrow(UnreadableTests)
  })

  const damageLastFile = async () => writeFile((await listFiles()).sort().at(-1) ?? '', 'damaged')
})

describe('tests stay in memory', () => {
  it('if an older service sends no tag', async () => {
    service.stopTags()
    const cache = openCache()
    const problem = addProblem('a')
    for (let n = 0; n < 2; n += 1) expect(await read(cache, problem)).toEqual(['a'])
    expect([statuses(), await listFolders()]).toEqual([[200, 200], []])
  })

  it('if the service no longer sends a tag, and kept tests are deleted', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    await read(cache, problem)
    service.stopTags()
    expect(await read(cache, problem)).toEqual(['a'])
    expect(await listFolders()).toEqual([])
  })

  it.each([0, 2 * BLOCK_BYTES - 1])('if they take more than the limit of %i bytes', async (max) => {
    const cache = openCache(max)
    const problem = addProblem('a')
    for (let n = 0; n < 2; n += 1) expect(await read(cache, problem)).toEqual(['a'])
    expect([statuses(), await listFolders()]).toEqual([[200, 200], []])
  })

  it('if they cannot be written, which is logged', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    await rm(folder, { recursive: true })
    for (let n = 0; n < 2; n += 1) expect(await read(cache, problem)).toEqual(['a'])
    expect(statuses()).toEqual([200, 200])
    expect(logged).toContain('tests cannot be kept on disk')
  })
})

describe('the limit in bytes', () => {
  it('lets the least recently used set go first', async () => {
    const cache = openCache(4 * BLOCK_BYTES)
    const [first, second, third] = [addProblem('1'), addProblem('2'), addProblem('3')]
    for (const problem of [first, second, first, third]) await read(cache, problem)
    expect(await listFolders()).toHaveLength(2)
    service.testsAnswers.length = 0
    for (const problem of [first, third, second]) await read(cache, problem)
    expect(statuses()).toEqual([304, 304, 200])
  })

  it('is never exceeded by sets that are fetched and used at the same time', async () => {
    const cache = openCache(6 * BLOCK_BYTES)
    const inputs = Array.from({ length: 8 }, (_, n) => Array<string>(1 + (n % 3)).fill(`${n}`))
    const problems = inputs.map((texts) => addProblem(...texts))
    for (let round = 0; round < 5; round += 1) {
      const uses = await Promise.all(problems.map((problem) => useTests(cache, problem)))
      expect(await countBlocks()).toBeGreaterThan(3)
      expect(await countBlocks()).toBeLessThanOrEqual(6)
      expect(await Promise.all(uses.map((use) => use.end()))).toEqual(inputs)
      expect(await countBlocks()).toBeLessThanOrEqual(6)
    }
  })

  it('deletes no set that is in use: what does not fit beside it is not kept', async () => {
    const cache = openCache(2 * BLOCK_BYTES)
    const [first, second] = [addProblem('1'), addProblem('2')]
    const use = await useTests(cache, first)
    expect(await read(cache, second)).toEqual(['2'])
    expect(await use.end()).toEqual(['1'])
    service.testsAnswers.length = 0
    await read(cache, first)
    expect(statuses()).toEqual([304])
  })

  it('deletes no set in use that was replaced, until its last use', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    const uses = [await useTests(cache, problem), await useTests(cache, problem)]
    replaceTests(problem, () => 'b')
    expect(await read(cache, problem)).toEqual(['b'])
    for (const use of uses) {
      expect(await listFolders()).toHaveLength(2)
      expect(await use.end()).toEqual(['a'])
    }
    expect(await listFolders()).toHaveLength(1)
    expect(await read(cache, problem)).toEqual(['b'])
  })

  it('is free again after a set that could not be written', async () => {
    const cache = openCache(2 * BLOCK_BYTES)
    const [first, second] = [addProblem('1'), addProblem('2')]
    // The name of the next set is taken by a file.
    for (const name of ['1', '2', '3', '4']) await writeFile(join(folder, `${name}.unfinished`), '')
    await read(cache, first)
    expect(logged).toContain('tests cannot be kept on disk')
    for (let n = 0; n < 2; n += 1) await read(cache, second)
    expect(statuses()).toEqual([200, 200, 304])
  })
})

describe('a damaged set', () => {
  it.each([
    ['is missing', (file: string) => rm(file)],
    ['is shorter', (file: string) => truncate(file, 1)],
    ['has other content', (file: string) => writeFile(file, 'b?')],
  ])('is fetched again, and its use begins anew, when a file %s', async (_, damage) => {
    const cache = openCache()
    const problem = addProblem('a', 'c')
    await read(cache, problem)
    for (const file of await listFiles()) await damage(file)
    expect(await read(cache, problem)).toEqual(['a', 'c'])
    expect(statuses()).toEqual([200, 304, 200])
    expect(await listFolders()).toHaveLength(1)
    expect(logged).toContain('kept tests are damaged')
  })

  it('is used by nobody, also of several who meet it at once', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    await read(cache, problem)
    for (const file of await listFiles()) await rm(file)
    const reads = await Promise.all(Array.from({ length: 5 }, () => read(cache, problem)))
    expect(reads).toEqual(reads.map(() => ['a']))
  })
})

describe('judgings at the same time', () => {
  it('of one problem share one request', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    const reads = await Promise.all(Array.from({ length: 10 }, () => read(cache, problem)))
    expect(reads).toEqual(reads.map(() => ['a']))
    // The first, and one check for all who asked while it was in progress.
    expect(statuses()).toEqual([200, 304])
    expect(await listFolders()).toHaveLength(1)
  })

  it('never use tests from before they asked', async () => {
    const cache = openCache()
    const problem = addProblem('old')
    const held = gate()
    service.heldTests.set(problem, held.passed)
    const first = read(cache, problem)
    await waitFor('the first request', () => statuses().length === 1)
    replaceTests(problem, () => 'new')
    const later = [read(cache, problem), read(cache, problem)]
    held.open()
    expect(await Promise.all([first, ...later])).toEqual([['old'], ['new'], ['new']])
    expect(statuses()).toEqual([200, 200])
  })

  it('of another problem do not wait for a request in progress', async () => {
    const cache = openCache()
    const [large, small] = [addProblem('x'.repeat(1000)), addProblem('a')]
    const held = gate()
    service.heldTests.set(large, held.passed)
    const slow = read(cache, large)
    await waitFor('the slow request', () => statuses().length === 1)
    expect(await read(cache, small)).toEqual(['a'])
    held.open()
    expect(await slow).toEqual(['x'.repeat(1000)])
  })

  it('each fail when the service does, and the next one works', async () => {
    const cache = openCache()
    const problem = addProblem('a')
    const route = 'GET /v1/problem_description/tests'
    service.answers.set(route, [503, 503])
    const reads = await Promise.allSettled(Array.from({ length: 5 }, () => read(cache, problem)))
    for (const result of reads) expect(result).toMatchObject({ reason: expect.any(ServiceError) })
    expect(await read(cache, problem)).toEqual(['a'])
    // A set that was kept before a failure is still good.
    service.answers.set(route, [503])
    await expect(read(cache, problem)).rejects.toThrow(ServiceError)
    expect(await read(cache, problem)).toEqual(['a'])
    expect(statuses()).toEqual([200, 304])
  })

  it('pass the errors of their use on, and stop using the set', async () => {
    const cache = openCache(2 * BLOCK_BYTES)
    const [first, second] = [addProblem('1'), addProblem('2')]
    const failing = cache.withTests(first, () => Promise.reject(new Error('no sandbox')))
    await expect(failing).rejects.toThrow('no sandbox')
    for (let n = 0; n < 2; n += 1) await read(cache, second)
    expect(statuses()).toEqual([200, 200, 304])
  })
})
