import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { createLatch } from '../../src/latch.ts'
import { silentLogger } from '../../src/logger.ts'
import type { ProgramFiles } from '../../src/program.ts'
import { readAhead } from '../../src/read-ahead.ts'
import { createRunsAhead, type RunsAhead } from '../../src/runs-ahead.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { type RunRequest, type RunResult, type Sandbox, SandboxFailure } from '../../src/sandbox/sandbox.ts'
import { makeTestCase, makeTestSet } from '../support/test-cases.ts'
import { limits } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

/** A real sandbox that records its runs. */
describe('the runs of a program', () => {
  let folder: string
  let sandbox: Sandbox
  let requests: RunRequest[]
  /** Ends the first held run with this reason. */
  let endHeld: ((reason: Error) => Promise<void>) | undefined
  let runs: RunsAhead

  beforeEach(async () => {
    folder = await makeTemporaryFolder()
    requests = []
    endHeld = undefined
    sandbox = await openSandbox({ mode: 'unsandboxed', logger: silentLogger })
    const program = await sandbox.createFolder()
    const recording: Sandbox = {
      ...sandbox,
      run(request) {
        requests.push(request)
        const { startWhen, signal } = request
        if (startWhen === undefined) return sandbox.run(request)
        const ending = new AbortController()
        const ended = once(ending.signal, 'abort').then(() => {})
        const result = sandbox.run({
          ...request,
          signal: AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]),
          startWhen: Promise.race([startWhen, ended]),
        })
        endHeld ??= async (reason) => {
          ending.abort(reason)
          await result.catch(() => {})
        }
        return result
      },
    }
    runs = createRunsAhead(recording, ({ outputBytes, ...files }) => ({
      ...{ argv: ['/bin/cat'], folder: program, writable: false, environment: {}, limits },
      ...files,
    }))
  })
  afterEach(async () => {
    await runs.close()
    await sandbox.close()
  })

  const filesOf = (stdin: string): ProgramFiles => ({
    ...{ stdin, outputBytes: 100, outputFile: join(folder, stdin) },
  })
  const nothing = async () => []
  /** The inputs of the runs that wait for their start, or did. */
  const held = () => requests.filter(({ startWhen }) => startWhen !== undefined).map(({ stdin }) => stdin)
  const waitForHeld = (count: number) => waitFor(`${count} held runs`, () => held().length === count)

  it('uses a sandbox that was made ahead, cancels the others, and leaves no output of theirs', async () => {
    const [one, two, three, four] = [filesOf('one'), filesOf('two'), filesOf('three'), filesOf('four')]
    expect(await runs.run(one, async () => [two, three])).toMatchObject({ exitCode: 0 })
    await waitForHeld(2)
    // The numbers jump: the second is not needed.
    expect(await runs.run(three, async () => [four])).toMatchObject({ exitCode: 0 })
    await waitForHeld(3)
    await runs.close()
    expect(requests.map(({ stdin }) => stdin)).toEqual(['one', 'two', 'three', 'four'])
    expect((await readdir(folder)).sort()).toEqual(['one', 'three'])
    expect(requests.map(({ signal }) => signal?.aborted ?? false)).toEqual([false, true, false, true])
  })

  it('makes a new sandbox if one has ended before its start', async () => {
    const [one, two] = [filesOf('one'), filesOf('two')]
    await runs.run(one, async () => [two])
    await waitForHeld(1)
    await endHeld?.(new SandboxFailure('killed'))
    expect(await runs.run(two, nothing)).toMatchObject({ exitCode: 0, stdoutBytes: 3 })
    expect(requests.map(({ stdin }) => stdin)).toEqual(['one', 'two', 'two'])
  })

  it('runs without the next ones if they cannot be read, or are read too late', async () => {
    const [one, two, three] = [filesOf('one'), filesOf('two'), filesOf('three')]
    const reading = createLatch()
    const unreadable = async () => Promise.reject(new Error('damaged'))
    expect(await runs.run(one, unreadable)).toMatchObject({ exitCode: 0 })
    const late = reading.opened.then(() => [three])
    expect(await runs.run(two, () => late)).toMatchObject({ exitCode: 0 })
    const result: Promise<RunResult> = runs.run(three, nothing)
    reading.open()
    expect(await result).toMatchObject({ exitCode: 0 })
    expect(held()).toEqual([])
  })
})

describe('reading test cases ahead', () => {
  const cases = ['a', 'b', 'c', 'd', 'e'].map((input) => makeTestCase(input, ''))

  it('reads the next two on request only, and each once unless the numbers jump; a damaged one fails when it is judged', async () => {
    const tests = makeTestSet(cases)
    let damaged = 0
    const readOne = vi.fn(async (number: number) => {
      if (number === damaged) throw new Error('damaged')
      return tests.read(number)
    })
    const numbersOf = (read: readonly { number: number }[]) => read.map(({ number }) => number)
    const read = readAhead({ ...tests, read: readOne })
    const first = await read(1)
    expect(readOne.mock.calls).toEqual([[1]])
    const next = await first.readNext()
    expect(numbersOf(next)).toEqual([2, 3])
    const second = await read(2)
    expect(second.testCase).toBe(next[0])
    expect(numbersOf(await second.readNext())).toEqual([3, 4])
    expect(await (await read(5)).readNext()).toEqual([])
    expect(numbersOf(await (await read(2)).readNext())).toEqual([3, 4])
    expect(readOne.mock.calls.flat()).toEqual([1, 2, 3, 4, 5, 2, 3, 4])
    damaged = 2
    const readAgain = readAhead({ ...tests, read: readOne })
    const { testCase, readNext } = await readAgain(1)
    expect(testCase.number).toBe(1)
    await expect(readNext()).rejects.toThrow('damaged')
    await expect(readAgain(2)).rejects.toThrow('damaged')
  })

  it('stops before a public test case that follows a hidden one', async () => {
    const hidden = new Set([2, 3])
    const mixed = cases.map((one, place) => ({ ...one, hidden: hidden.has(place + 1) }))
    const read = readAhead(makeTestSet(mixed))
    const next = async (number: number) => (await (await read(number)).readNext()).map((one) => one.number)
    expect([await next(1), await next(2), await next(3), await next(4)]).toEqual([[2, 3], [3], [], [5]])
  })
})
