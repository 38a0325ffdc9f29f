import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { createRunsAhead, type ProgramFiles, type RunsAhead } from '../../src/programs/runs-ahead.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { createPipes } from '../../src/sandbox/pipes.ts'
import type { Limits, RunRequest, RunResult, Sandbox } from '../../src/sandbox/sandbox.ts'
import { SandboxFailure } from '../../src/sandbox/sandbox.ts'
import { createLatch } from '../../src/shared/latch.ts'
import { silentLogger } from '../../src/shared/logger.ts'
import { succeeds } from '../../src/shared/try-or.ts'
import { readAhead } from '../../src/tests/read-ahead.ts'
import { findProcesses, readOr } from '../support/processes.ts'
import { testUnless } from '../support/requirements.ts'
import { makeTestCase, makeTestSet } from '../support/test-cases.ts'
import { limits, MIB, makeMark, noBubblewrap, readOutput, useSandbox } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

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
    expect(await runs.run(two, () => reading.opened.then(() => [three]))).toMatchObject({ exitCode: 0 })
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

const kinds = [
  { name: 'bubblewrap, with control groups if possible', mode: 'bubblewrap', cgroups: true },
  { name: 'bubblewrap, without control groups', mode: 'bubblewrap', cgroups: false },
  { name: 'unsandboxed', mode: 'unsandboxed', cgroups: true },
] as const

describe.each(kinds)('a program that waits for its start: $name', ({ mode, cgroups }) => {
  const { runShell, testRun } = useSandbox({ mode, cgroups })
  const testIsolated = testUnless(mode === 'bubblewrap' ? noBubblewrap : 'nothing waits without a sandbox')

  /** A program whose command line has a mark, and whose sandbox is made if it can wait. */
  async function hold(code: string, stdin = '', limits: Partial<Limits> = {}) {
    const mark = makeMark()
    const start = createLatch()
    const cancelling = new AbortController()
    const more = { stdin, startWhen: start.opened, signal: cancelling.signal }
    const result = runShell(`: ${mark}; ${code}`, limits, more)
    result.catch(() => undefined)
    // Without a sandbox nothing waits.
    if (mode === 'bubblewrap')
      await waitFor('the waiting shell', () => findProcesses(mark).some((pid) => isShell(pid)))
    return { mark, result, start: start.open, cancel: () => cancelling.abort(new Error('cancelled')) }
  }

  testRun('starts when it may, with its input; the wait does not count', async () => {
    const { result, start } = await hold('cat', 'in\n', { wallMs: 60_000 })
    if (mode === 'bubblewrap') {
      const ended = vi.fn()
      result.finally(ended).catch(() => {})
      await runShell('true')
      expect(ended).not.toHaveBeenCalled()
    }
    const mayStartMs = performance.now()
    start()
    const done = await result
    expect([readOutput(done), done.exitCode, done.exceeded]).toEqual(['in\n', 0, undefined])
    if (mode === 'bubblewrap') expect(done.wallMs).toBeLessThanOrEqual(performance.now() - mayStartMs + 1)
  })

  testRun('keeps its limits', async () => {
    for (const [code, limits, exceeded] of [
      ['sleep 600', { wallMs: 400 }, 'time'],
      ['while :; do :; done', { cpuMs: 300 }, 'time'],
      ['head -c 1G /dev/zero | tail', { memoryBytes: 32 * MIB }, 'memory'],
      ['yes', {}, 'output'],
    ] as const) {
      const { result, start } = await hold(code, '', limits)
      start()
      expect([code, (await result).exceeded]).toEqual([code, exceeded])
    }
  })

  testIsolated('fails if its sandbox ends before it may start', async () => {
    const { mark, result } = await hold('echo started')
    for (const pid of findProcesses(mark)) succeeds(() => process.kill(pid, 'SIGKILL'))
    await expect(result).rejects.toThrow(SandboxFailure)
  })

  testRun('leaves nothing behind if it is cancelled', async () => {
    const { mark, result, start, cancel } = await hold('echo started')
    cancel()
    start()
    await expect(result).rejects.toThrow('cancelled')
    expect(findProcesses(mark)).toEqual([])
  })

  testIsolated('does not keep another from running alone, also when it may start', async () => {
    const { result, start } = await hold('true')
    const order: string[] = []
    const held = result.then(() => order.push('held'))
    const alone = runShell('sleep 0.2', {}, { alone: true }).then(() => order.push('alone'))
    start()
    await Promise.all([alone, held])
    expect(order).toEqual(['alone', 'held'])
  })
})

it('a closed gate writes to no file that has its descriptor', async () => {
  const folder = await makeTemporaryFolder()
  const gate = await createPipes(folder).openGate()
  gate.close()
  const path = join(folder, 'other')
  const other = openSync(path, 'w')
  expect(other).toBe(gate.descriptor)
  gate.open()
  closeSync(other)
  expect(readFileSync(path, 'utf8')).toBe('')
})

/** Not bubblewrap itself, whose command line has the program's at its end. */
const isShell = (pid: number) =>
  readOr(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').startsWith('/bin/sh')
