import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { createJudgeApi } from '../../src/messages/judge-api.ts'
import { createHttpSession } from '../../src/service/http-session.ts'
import { createLatch } from '../../src/shared/latch.ts'
import { TestCache } from '../../src/tests/test-cache.ts'
import type { TestCase, TestSet } from '../../src/tests/test-set.ts'
import { type JudgeService, PASSWORD, startJudgeService } from './judge-service.ts'
import { createTextLog } from './line-logger.ts'

/** A set takes a block for its folder and two for each small case. */
export const BLOCK_BYTES = 4096

/** Gives each test of a file a service and a folder for test caches. */
export function useTestCache() {
  let service: JudgeService
  let folder: string
  let log: ReturnType<typeof createTextLog>
  beforeEach(async () => {
    service = await startJudgeService()
    folder = await makeTemporaryFolder()
    log = createTextLog()
  })
  afterEach(() => service.close())
  const listFolders = () => readdir(folder)
  const listFiles = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  }
  return {
    get service() {
      return service
    },
    get folder() {
      return folder
    },
    get logged() {
      return log.text
    },
    openCache(maxBytes = 2 ** 20): TestCache {
      const { signal } = new AbortController()
      const session = createHttpSession({ apiUrl: service.url, judgePassword: PASSWORD, signal })
      return new TestCache({ api: createJudgeApi(session), folder, maxBytes, logger: log.logger })
    },
    /** Makes a problem whose test cases have these inputs; returns its id. */
    addProblem(...inputs: string[]): number {
      const tests = inputs.map((input) => ({ input, expected_output: `${input}!` }))
      const id = service.addSubmission({ language: 'js', source_code: '', tests })
      return service.submissions.get(id)?.problem_id ?? 0
    },
    /** Replaces the inputs of a problem; those that differ get a new version. */
    replaceInputs(problemId: number, ...inputs: string[]): void {
      for (const submission of service.submissions.values())
        if (submission.problem_id === problemId)
          submission.test_cases = submission.test_cases?.map((test, place) => {
            const [input = '', { version = 1 }] = [inputs[place], test]
            return { ...test, input, version: input === test.input ? version : version + 1 }
          })
    },
    statuses: () => service.testsResponses.map(({ status }) => status),
    listFolders,
    listFiles,
    countBlocks: async () => (await listFolders()).length + (await listFiles()).length,
  }
}

/** The test cases of a set with their texts. */
export async function readAll(tests: TestSet | undefined) {
  if (tests === undefined) return []
  const read: (Pick<TestCase, 'id' | 'hidden'> & { input: string; expectedOutput: string })[] = []
  for (let number = 1; number <= tests.size; number += 1) {
    const { id, hidden, inputFile, answerFile, inputBytes, answerBytes } = await tests.read(number)
    const [input, expectedOutput] = [await readFile(inputFile, 'utf8'), await readFile(answerFile, 'utf8')]
    expect([inputBytes, answerBytes]).toEqual([input, expectedOutput].map((text) => Buffer.byteLength(text)))
    read.push({ id, hidden, input, expectedOutput })
  }
  return read
}

const readInputs = async (tests: TestSet | undefined) => (await readAll(tests)).map(({ input }) => input)

/** Reads the inputs of a problem's tests through the cache. */
export const read = (cache: TestCache, problemId: number) => cache.withTests(problemId, readInputs)

/** Begins to use a problem's tests; `end` reads them and stops using them. */
export async function useTests(cache: TestCache, problemId: number) {
  const [begun, ending] = [createLatch(), createLatch()]
  const used = cache.withTests(problemId, async (tests) => {
    begun.open()
    await ending.opened
    return readInputs(tests)
  })
  await Promise.race([begun.opened, used])
  return {
    end: () => {
      ending.open()
      return used
    },
  }
}
