import { availableParallelism } from 'node:os'
import { defaultLanguagesFile, findLanguage, type Language, readLanguages } from '@judge-data-layer/languages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeRun, judgeSubmission } from '../src/judge.ts'
import { silentLogger } from '../src/logger.ts'
import { makeProgramLimits, type ProgramLimits } from '../src/program.ts'
import { createRerunBudget } from '../src/rerun-budget.ts'
import { openSandbox } from '../src/sandbox/open-sandbox.ts'
import { createRunGate } from '../src/sandbox/run-gate.ts'
import type { Sandbox } from '../src/sandbox/sandbox.ts'
import { missing, testUnless } from './support/requirements.ts'
import { missingSandbox } from './support/sandboxes.ts'
import { waitFor } from './support/wait.ts'

const MIB = 2 ** 20
const languages = await readLanguages(defaultLanguagesFile)
const noBubblewrap = await missingSandbox('bubblewrap')
const testPerl = testUnless(noBubblewrap ?? missing('/usr/bin/perl'))
const testSandboxed = testUnless(noBubblewrap)
const tests = [{ id: 'one', input: '', expectedOutput: 'done\n', hidden: false }]
const limits: ProgramLimits = { cpuSeconds: 1, wallSeconds: 4, memoryMib: 128 }

let sandbox: Sandbox

beforeAll(async () => {
  if (noBubblewrap === undefined) sandbox = await openSandbox({ mode: 'bubblewrap', logger: silentLogger })
})
afterAll(() => sandbox?.close())

function language(name: string): Language {
  const found = findLanguage(languages, name)
  if (!found) throw new Error(`no language ${name}`)
  return found
}

function judge(
  name: string,
  sourceCode: string,
  more: { limits?: ProgramLimits; takeRerun?: () => boolean } = {},
) {
  return judgeSubmission({ sandbox, language: language(name), sourceCode, limits, ...more }, tests)
}

describe('the limits of a problem', () => {
  it.each([
    [10, 5, { cpuSeconds: 5, wallSeconds: 11 }],
    [2, 8, { cpuSeconds: 2, wallSeconds: 5 }],
    [60, 1, { cpuSeconds: 1, wallSeconds: 60 }],
    [0.5, 0.5, { cpuSeconds: 0.5, wallSeconds: 2 }],
  ])(
    'accept_timeout %s and execution_timeout %s give the smaller as CPU time, and room by the clock',
    (accept, execution, expected) => {
      const problem = { accept_timeout: accept, execution_timeout: execution, memory_limit: 64 }
      expect(makeProgramLimits(problem)).toEqual({ ...expected, memoryMib: 64 })
    },
  )
})

describe('a busy judge', () => {
  const WORKS = 'my $i = 0; while ((times)[0] + (times)[1] < 0.4) { $i++ for 1 .. 1000 } print "done\\n"'
  // Each has a session of its own, since the kernel may share the CPU by session.
  const SPINNERS = 30 * availableParallelism()
  const BUSY = `for i in $(seq ${SPINNERS}); do setsid sh -c "while :; do :; done" & done; sleep 60`

  /** Keeps all cores busy with a program of the same judge for as long as `use` takes, at most. */
  async function whileBusy<T>(seconds: number, use: () => Promise<T>): Promise<T> {
    const folder = await sandbox.createFolder()
    const stopping = new AbortController()
    const busy = sandbox.run({
      ...{ argv: ['/bin/sh', '-c', BUSY], folder, writable: false, stdin: '', environment: {} },
      limits: {
        ...{ wallMs: seconds * 1000, cpuMs: 1e9, memoryBytes: 8 * SPINNERS * MIB },
        ...{ outputBytes: MIB, fileBytes: MIB, processes: 2 * SPINNERS + 20 },
      },
      signal: stopping.signal,
    })
    try {
      return await use()
    } finally {
      stopping.abort(new Error('no longer busy'))
      await busy.catch(() => undefined)
      await sandbox.removeFolder(folder)
    }
  }

  testPerl('runs a program again, alone, that waited for a CPU until the wall limit', async () => {
    let reruns = 0
    const takeRerun = () => {
      reruns += 1
      return true
    }
    const verdict = await whileBusy(8, () => judge('perl', WORKS, { takeRerun }))
    expect([verdict.status, reruns]).toEqual(['ACCEPTED', 1])
    expect(verdict.time_elapsed).toBeGreaterThanOrEqual(0.4)
    expect(verdict.time_elapsed).toBeLessThan(1)
  })

  testPerl('compiles a program again, alone, whose compiler waited for a CPU', async () => {
    const compile = ['/usr/bin/perl', '-e', WORKS] as const
    const { check, ...perl } = language('perl')
    const task = {
      ...{ sandbox, sourceCode: 'print "done\\n"', limits, takeRerun: () => true },
      language: { ...perl, compile, compileLimits: { cpuSeconds: 1, wallSeconds: 4 } },
    }
    expect(check).toBeDefined()
    const verdict = await whileBusy(8, () => judgeSubmission(task, tests))
    expect(verdict.status).not.toBe('COMPILE_TIME_ERROR')
  })

  testPerl('reports the time limit where the budget is used up', async () => {
    const verdict = await whileBusy(20, () => judge('perl', WORKS, { takeRerun: () => false }))
    expect(verdict.status).toBe('TIME_LIMIT_EXCEEDED')
    expect(verdict.time_elapsed).toBeLessThan(1)
  })

  testPerl('never runs a program again that sleeps or that has used its CPU time', async () => {
    const takeRerun = () => {
      throw new Error('asked for a rerun')
    }
    const short = { ...limits, cpuSeconds: 0.3 }
    for (const code of ['sleep 20', '1 while 1']) {
      const verdict = await judge('perl', code, { takeRerun, limits: short })
      expect(verdict.status).toBe('TIME_LIMIT_EXCEEDED')
    }
  })

  it('lets a run that must be alone wait for others, and later ones for it', async () => {
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
    expect(events).toEqual([
      'first starts',
      'first ends',
      'alone starts',
      'alone ends',
      'later starts',
      'later ends',
    ])
  })

  it('gives every user a budget that comes back with time', () => {
    let nowMs = 0
    const budget = createRerunBudget(30, 600_000, () => nowMs)
    expect([budget.take('a', 20), budget.take('a', 20), budget.take('b', 20)]).toEqual([true, false, true])
    nowMs += 200_000
    expect([budget.take('a', 20), budget.take('a', 1)]).toEqual([true, false])
    nowMs += 600_000
    // A limit above the whole budget is possible once.
    expect([budget.take('a', 50), budget.take('a', 1)]).toEqual([true, false])
  })
})

describe('a verdict', () => {
  testPerl('is not decided by an exit code that looks like a signal', async () => {
    for (const code of [124, 134, 137, 139, 152, 153]) {
      const verdict = await judge('perl', `exit ${code}`)
      expect([code, verdict.status]).toEqual([code, 'RUNTIME_ERROR'])
    }
  })

  testSandboxed('is not decided by a text about memory that the kernel does not confirm', async () => {
    const code = `console.error('FATAL ERROR: heap out of memory'); process.exit(134)`
    expect(await judge('js', code)).toMatchObject({ status: 'RUNTIME_ERROR' })
  })

  testSandboxed('reports a heap that outgrew the limit, as before', async () => {
    const code = 'const all = []; for (;;) all.push({ text: String(all.length) })'
    const run = await judgeRun(
      {
        sandbox,
        language: language('js'),
        sourceCode: code,
        limits: { ...limits, cpuSeconds: 5, wallSeconds: 11, memoryMib: 64 },
      },
      '',
    )
    expect(run.status).toBe('MEMORY_LIMIT_EXCEEDED')
  })
})

describe('a compilation', () => {
  const compile = { cpuSeconds: 1, wallSeconds: 2, memoryMib: 64, folderMib: 16, folderFiles: 100 }
  const judgeCompilation = (command: string, compileLimits = {}) =>
    judgeSubmission(
      {
        ...{ sandbox, sourceCode: 'done', limits, compile },
        language: {
          ...{ ...language('c'), compile: ['/bin/sh', '-c', command] as const, compileLimits },
          run: ['/bin/cat', '{source}', '{dir}/newline'] as const,
        },
      },
      tests,
    )
  const WORKS = 'echo > newline'
  const BUSY = 'i=0; while [ $i -lt 100000000 ]; do i=$((i + 1)); done'

  testSandboxed('has limits of its own, on CPU time, on time by the clock and on memory', async () => {
    expect(await judgeCompilation(WORKS)).toMatchObject({ status: 'ACCEPTED' })
    for (const [command, limit] of [
      [BUSY, 'time'],
      ['sleep 60', 'time'],
      ['head -c 300000000 /dev/zero | tail -c 200000000 > /dev/null', 'memory'],
    ]) {
      const { status, stderr } = await judgeCompilation(`${command}; ${WORKS}`)
      expect(status).toBe('COMPILE_TIME_ERROR')
      // The shell may say before it that its command was killed.
      expect(stderr.split('\n').at(-1)).toBe(`[the compiler exceeded its ${limit} limit]`)
    }
  })

  testSandboxed('has the limits of its language where the language file sets them', async () => {
    const slow = `sleep 3; ${WORKS}`
    expect(await judgeCompilation(slow)).toMatchObject({ status: 'COMPILE_TIME_ERROR' })
    expect(await judgeCompilation(slow, { wallSeconds: 30 })).toMatchObject({ status: 'ACCEPTED' })
  })

  testSandboxed('that only checks finds a read-only folder, in which the program is', async () => {
    const checked = {
      ...language('perl'),
      check: ['/bin/sh', '-c', 'test -r /app/main.pl; echo x > /app/left && exit 1; exit 0'] as const,
    }
    const task = {
      sandbox,
      language: checked,
      sourceCode: 'print -e "/app/left" ? "left\\n" : "done\\n"',
      limits,
    }
    expect(await judgeSubmission(task, tests)).toMatchObject({ status: 'ACCEPTED' })
  })
})

describe('a Java program', () => {
  testUnless(noBubblewrap ?? missing('/usr/bin/javac'))(
    'may have its main class in any package',
    async () => {
      const code = `package org.example.answer;
      class Helper {}
      class Solution { public static void main(String[] args) { System.out.println("done"); } }`
      const java = { limits: { ...limits, cpuSeconds: 10, wallSeconds: 40 } }
      expect(await judge('java', code, java)).toMatchObject({ status: 'ACCEPTED' })
    },
  )
})
