import type { Language } from '@judge-data-layer/languages'
import { describe, expect, it, vi } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { createRerunBudget } from '../../src/judging/rerun-budget.ts'
import { makeProgramLimits, type ProgramLimits } from '../../src/programs/program-limits.ts'
import { createRunGate } from '../../src/sandbox/open-sandbox.ts'
import type { RunResult } from '../../src/sandbox/sandbox.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { makeFakeSandbox, makeRunResult } from '../support/fake-sandbox.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { judgeOnTests, makeTestCase } from '../support/test-cases.ts'
import { MIB, noBubblewrap, obstacleTo, testIsolated, useSandbox } from '../support/use-sandbox.ts'
import { waitFor } from '../support/wait.ts'

const testPerl = testUnless(noBubblewrap ?? missing('/usr/bin/perl'))
const tests = [makeTestCase('', 'done\n')]
const limits: ProgramLimits = { cpuSeconds: 1, wallSeconds: 4, memoryMib: 128 }

const setup = useSandbox({ mode: 'bubblewrap' })

it.each([
  [10, 5, { cpuSeconds: 5, wallSeconds: 11 }],
  [2, 8, { cpuSeconds: 2, wallSeconds: 5 }],
  [60, 1, { cpuSeconds: 1, wallSeconds: 60 }],
  [0.5, 0.5, { cpuSeconds: 0.5, wallSeconds: 2 }],
])(
  'the CPU time is the smaller of accept_timeout %s and execution_timeout %s; the wall time is longer',
  (accept_timeout, execution_timeout, expected) => {
    const problem = { accept_timeout, execution_timeout, memory_limit: 64 }
    expect(makeProgramLimits(problem)).toEqual({ ...expected, memoryMib: 64 })
  },
)

describe('a program that waits', () => {
  testPerl('does not count the sleep of a program as waiting for a CPU', async () => {
    const run = vi.fn(setup.sandbox.run)
    const program = { language: findDefaultLanguage('perl'), sourceCode: 'sleep 60' }
    const task = { ...program, sandbox: { ...setup.sandbox, run }, limits: { ...limits, wallSeconds: 1.5 } }
    expect(await judgeOnTests(task, tests)).toMatchObject({ status: 'TIME_LIMIT_EXCEEDED' })
    const result: RunResult | undefined = await run.mock.results.at(-1)?.value
    expect(result?.cpuWaitMs).toBeLessThan(1200)
  })

  it.each([
    ['slept', 0, { cpuMs: 10, cpuWaitMs: 399 }],
    ['has used its CPU time', 0, { cpuMs: 1000, cpuWaitMs: 4000 }],
    ['waited for a tenth of the wall limit', 1, { cpuMs: 999, cpuWaitMs: 400 }],
    ['was watched late for a tenth of it', 1, { cpuMs: 999, lateMs: 400 }],
  ])('a program that %s gets %s reruns', async (_, expected, measured) => {
    const { check, ...perl } = findDefaultLanguage('perl')
    expect(check).toBeDefined()
    const end = { exitCode: undefined, signal: 'SIGKILL', exceeded: 'time', wallMs: 4000 } as const
    const stub = makeFakeSandbox({
      ...{ createFolder: makeTemporaryFolder, removeFolder: async () => {} },
      run: async () => makeRunResult({ ...end, ...measured }),
    })
    const takeRerun = vi.fn(() => true)
    await judgeOnTests({ sandbox: stub, language: perl, sourceCode: '', limits, takeRerun }, tests)
    expect(takeRerun).toHaveBeenCalledTimes(expected)
  })

  it('starts a run alone after earlier runs and before later ones', async () => {
    const gate = createRunGate()
    const events: string[] = []
    const ends = new Map<string, () => void>()
    const start = (name: string, alone: boolean) =>
      gate.pass(alone, async () => {
        events.push(`${name} starts`)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        events.push(`${name} ends`)
      })
    const end = async (name: string, run: Promise<void>) => {
      const finish = await waitFor(`${name} to start`, () => ends.get(name))
      finish?.()
      await run
    }
    const [first, alone, later] = [start('first', false), start('alone', true), start('later', false)]
    await end('first', first)
    await end('alone', alone)
    await end('later', later)
    expect(events).toEqual(['first', 'alone', 'later'].flatMap((name) => [`${name} starts`, `${name} ends`]))
  })

  it('gives every user a budget that refills with time', () => {
    let nowMs = 0
    const budget = createRerunBudget(30, 600_000, () => nowMs)
    expect([budget.take('a', 20), budget.take('a', 20), budget.take('b', 20)]).toEqual([true, false, true])
    nowMs += 200_000
    expect([budget.take('a', 20), budget.take('a', 1)]).toEqual([true, false])
    nowMs += 600_000
    // A full budget allows more than itself once.
    expect([budget.take('a', 50), budget.take('a', 1)]).toEqual([true, false])
  })
})

testIsolated('a text about memory changes no verdict without the kernel’s confirmation', async () => {
  const sourceCode = `console.error('FATAL ERROR: heap out of memory'); process.exit(134)`
  const task = { sandbox: setup.sandbox, language: findDefaultLanguage('js'), sourceCode, limits }
  expect(await judgeOnTests(task, tests)).toMatchObject({ status: 'RUNTIME_ERROR' })
})

describe('a compilation', () => {
  const WORKS = 'echo > newline'
  const BUSY = 'i=0; while [ $i -lt 100000000 ]; do i=$((i + 1)); done'
  const compile = { cpuSeconds: 10, wallSeconds: 60, memoryMib: 64, folderMib: 16, folderFiles: 100 }
  const judgeCompilation = (command: string, changes: Partial<typeof compile> = {}, compileLimits = {}) => {
    const language: Language = {
      ...{ ...findDefaultLanguage('c'), compile: ['/bin/sh', '-c', command], compileLimits },
      run: ['/bin/cat', '{source}', '{dir}/newline'],
    }
    const task = { sandbox: setup.sandbox, sourceCode: 'done', limits, compile: { ...compile, ...changes } }
    return judgeOnTests({ ...task, language }, tests)
  }

  testIsolated('has its own limits of CPU time, wall time and memory, also by language', async () => {
    expect(await judgeCompilation(WORKS)).toMatchObject({ status: 'ACCEPTED' })
    for (const [command, changes, limit] of [
      [BUSY, { cpuSeconds: 0.3 }, 'time'],
      ['sleep 60', { wallSeconds: 0.5 }, 'time'],
      ['head -c 300000000 /dev/zero | tail -c 200000000 > /dev/null', {}, 'memory'],
    ] as const) {
      const { status, stderr } = await judgeCompilation(`${command}; ${WORKS}`, changes)
      expect(status).toBe('COMPILE_TIME_ERROR')
      // The shell may report first that its command was killed.
      expect(stderr?.split('\n').at(-1)).toBe(`[the compiler exceeded its ${limit} limit]`)
    }
    const slow = `sleep 1; ${WORKS}`
    const short = { wallSeconds: 0.5 }
    expect(await judgeCompilation(slow, short)).toMatchObject({ status: 'COMPILE_TIME_ERROR' })
    expect(await judgeCompilation(slow, short, { wallSeconds: 60 })).toMatchObject({ status: 'ACCEPTED' })
  })

  testIsolated('that only checks the program cannot write to its folder', async () => {
    const check = 'test -r /app/main.pl; echo x > /app/left && exit 1; exit 0'
    const language = { ...findDefaultLanguage('perl'), check: ['/bin/sh', '-c', check] as const }
    const sourceCode = 'print -e "/app/left" ? "left\\n" : "done\\n"'
    const task = { sandbox: setup.sandbox, language, sourceCode, limits }
    expect(await judgeOnTests(task, tests)).toMatchObject({ status: 'ACCEPTED' })
  })
})

const SMALL = { cpuMs: 600, memoryBytes: 64 * MIB, fileBytes: 256 * MIB, processes: 32 }

describe.each(['bubblewrap', 'unsandboxed'] as const)('without control groups, %s', (mode) => {
  const { run, runShell, testRun } = useSandbox({ mode, cgroups: false })
  const testPython = testUnless(obstacleTo(mode) ?? missing('/usr/bin/python3'))

  testRun('counts the CPU time of children that have ended', async () => {
    // Each child takes far less time than the sample interval.
    const { exceeded, cpuMs } = await runShell('while :; do /bin/true; done', SMALL)
    expect(exceeded).toBe('time')
    expect(cpuMs).toBeGreaterThanOrEqual(600)
  })

  testPython('counts the memory of a memfd that is not mapped', async () => {
    const code = `import os, time
file = os.memfd_create('held')
for _ in range(100): os.write(file, b'x' * 1048576)
time.sleep(20)`
    expect((await run(['/usr/bin/python3', '-c', code], SMALL)).exceeded).toBe('memory')
  })

  testPython('does not count a memfd twice', async () => {
    const code = `import mmap, os
file = os.memfd_create('held')
os.ftruncate(file, 36 << 20)
memory = mmap.mmap(file, 36 << 20)
for page in range(0, 36 << 20, 4096): memory[page] = 1
import time; time.sleep(0.3)
print('done')`
    const { exceeded, stdout } = await run(['/usr/bin/python3', '-c', code], SMALL)
    expect([exceeded, stdout.toString()]).toEqual([undefined, 'done\n'])
  })
})
