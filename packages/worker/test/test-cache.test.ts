import { rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BLOCK_BYTES, read, readAll, useTestCache } from './support/test-cache-setup.ts'

const setup = useTestCache()
const { openCache, addProblem, statuses, listFolders, listFiles } = setup

/** A cache that keeps the tests of a problem with these inputs. */
async function keepTests(...inputs: string[]) {
  const [cache, problem] = [openCache(), addProblem(...inputs)]
  await read(cache, problem)
  return { cache, problem }
}

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
  ['an older service sends no entity tag', 2 ** 20, false],
  ['they exceed a limit of 0 bytes', 0, true],
  ['they exceed the limit by a byte', 3 * BLOCK_BYTES - 1, true],
])('tests are deleted after their use if %s', async (_, maxBytes, sendsTags) => {
  setup.service.sendsTags = sendsTags
  const cache = openCache(maxBytes)
  const problem = addProblem('a')
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
