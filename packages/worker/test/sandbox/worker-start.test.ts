import { chmod, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { findLeftBehind } from '../support/processes.ts'
import { listWorkerFolders, right, shell, tests, useTestWorker } from '../support/test-worker.ts'
import { testIsolated } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

const setup = useTestWorker()
const { start, queue, judge, verdictsOf } = setup

/** The files of test cases that the worker keeps: two of each. */
async function listKeptTests(): Promise<string[]> {
  const found: string[] = []
  for (const folder of await listWorkerFolders())
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name)
      if (entry.isFile() && file.includes('/tests/')) found.push(file)
    }
  return found
}

describe('the tests of a problem', () => {
  it('are deleted when the worker stops', async () => {
    const before = await findLeftBehind(process.pid)
    const worker = await start()
    await judge(setup.service.addSubmission(right))
    expect(await listKeptTests()).toHaveLength(2 * tests.length)
    await worker.stop()
    expect(await listKeptTests()).toEqual([])
    expect(await findLeftBehind(process.pid)).toEqual(before)
  })

  testIsolated('are invisible to programs', async () => {
    await start({ sandbox: 'bubblewrap' })
    const folders = [...(await listWorkerFolders()), tmpdir()].map((path) => `'${path}'`).join(' ')
    const source_code = `ls ${folders} 2>/dev/null | grep -Ec 'tests|validators|outputs|judge-worker' || :`
    const submission = { ...right, source_code, tests: [{ input: '1', expected_output: '0' }] }
    const id = setup.service.addSubmission(submission)
    await judge(id)
    expect(await listKeptTests()).toHaveLength(2)
    expect(verdictsOf(id)).toMatchObject([{ status: 'ACCEPTED', stdout: '0\n' }])
  })
})

describe('a worker', () => {
  const sleeping = { ...right, source_code: 'sleep 0.4; echo 2', tests: tests.slice(0, 1) }
  const waitForTests = () =>
    waitFor('the request for the tests', () =>
      setup.service.requests.includes('GET /v1/problem_description/test_cases'),
    )

  it('judges as many programs at once as its concurrency', async () => {
    const ids = Array.from({ length: 5 }, () => setup.service.addSubmission(sleeping))
    await start({ concurrency: 3 })
    await judge(...ids)
    expect(ids.flatMap(verdictsOf).map((verdict) => verdict.status)).toEqual(Array(5).fill('ACCEPTED'))
    expect(setup.list.mostAtOnce).toBe(3)
  })

  it('finishes running programs when it stops, and takes no new messages', async () => {
    const [running, next] = [setup.service.addSubmission(sleeping), setup.service.addSubmission(right)]
    const worker = await start({ stopGraceMs: 20_000 })
    queue(running, next)
    await waitForTests()
    await worker.stop()
    expect([verdictsOf(running).length, verdictsOf(next).length]).toEqual([1, 0])
  })

  it('gives messages back when their programs run longer than it waits', async () => {
    const id = setup.service.addSubmission({ ...right, source_code: 'sleep 600' })
    const worker = await start({ stopGraceMs: 100 })
    queue(id)
    await waitForTests()
    await worker.stop()
    const message = { type: 'submission', id }
    expect(setup.list.returned).toEqual([{ message, reason: 'Error: the worker is stopping' }])
    expect(verdictsOf(id)).toEqual([])
  })

  it('lists missing languages with their commands in its log and in verdicts', async () => {
    const complete = await start()
    expect(complete.installedLanguages).toEqual([shell])
    expect(setup.logged).not.toContain('not installed')
    await complete.stop()
    const ghost = { ...shell, name: 'Ghost', version: '1', run: ['ghost', '{source}'] as const }
    const spook = { ...ghost, name: 'Spook', version: '2', compile: ['spookc', '{source}'] as const }
    expect((await start({ languages: [ghost, shell, spook] })).installedLanguages).toEqual([shell])
    const lines = setup.logged.split('\n').filter((line) => line.includes('not installed'))
    const missing = ['Ghost 1: ghost', 'Spook 2: spookc']
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 30, missing }])
    const submission = setup.service.addSubmission({ ...right, language: 'Spook' })
    const run = setup.service.addRun('Ghost', '', '')
    await judge(submission, run)
    const notInstalled = 'is not installed on this judge worker:'
    expect([submission, run].map(verdictsOf)).toMatchObject([
      [{ status: 'INTERNAL_ERROR', stderr: `Spook 2 ${notInstalled} "spookc" was not found` }],
      [{ status: 'INTERNAL_ERROR', stderr: `Ghost 1 ${notInstalled} "ghost" was not found` }],
    ])
  })

  it('refuses to start in the mode bubblewrap if bubblewrap is not installed', async () => {
    const path = process.env.PATH
    const empty = await makeTemporaryFolder()
    await chmod(empty, 0o755)
    process.env.PATH = empty
    try {
      await expect(start({ sandbox: 'bubblewrap' })).rejects.toThrow(
        /install bwrap \(package bubblewrap\).* or run trusted programs only with --unsandboxed/,
      )
      expect((await start({ sandbox: 'bubblewrap-if-installed' })).isolation).toContain('no isolation')
    } finally {
      process.env.PATH = path
    }
  })
})
