import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, vi } from 'vitest'
import { until } from '../../../../test/support/until.ts'
import type { ProgramLimits } from '../../src/programs/program-limits.ts'
import type { RunCommand } from '../../src/sandbox/sandbox.ts'
import type { Verdict } from '../../src/verdicts/verdict.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { judgeOnTests, makeTestCase } from '../support/test-cases.ts'
import { MIB, noBubblewrap, useSandbox, limits as usual } from '../support/use-sandbox.ts'

const obstacle = noBubblewrap ?? missing('/usr/bin/perl')
const testPerl = testUnless(obstacle)
const tests = [makeTestCase('', 'done\n')]
const limits: ProgramLimits = { cpuSeconds: 1, wallSeconds: 4, memoryMib: 128 }
const WORKS = 'my $i = 0; while ((times)[0] + (times)[1] < 0.2) { $i++ for 1 .. 1000 } print "done\\n"'
// Each has its own session, since the kernel may share the CPU by session.
const SPINNERS = 30 * availableParallelism()
const BUSY = `for i in $(seq ${SPINNERS}); do setsid sh -c "while :; do :; done" & done; sleep 60`
const short = { cpuSeconds: 1, wallSeconds: 2, memoryMib: 128 }

const setup = useSandbox({ mode: 'bubblewrap' }, obstacle)

const judge = (takeRerun: () => boolean) => {
  const program = { language: findDefaultLanguage('perl'), sourceCode: WORKS }
  return judgeOnTests({ ...program, sandbox: setup.sandbox, limits: short, takeRerun }, tests)
}

/** The threads of the machine that run or wait for a CPU. */
const countRunnable = () => Number(readFileSync('/proc/loadavg', 'utf8').split(/[ /]/)[3])

/** Keeps all cores busy until `use` ends or calls its argument. */
async function whileBusy<T>(use: (endBusy: () => void) => Promise<T>): Promise<T> {
  const folder = await setup.sandbox.createFolder()
  const stopping = new AbortController()
  const endBusy = () => stopping.abort(new Error('no longer busy'))
  const busy = setup.sandbox.run({
    ...{ argv: ['/bin/sh', '-c', BUSY], folder, writable: false, stdin: '', environment: {} },
    limits: { ...usual, cpuMs: 1e9, memoryBytes: 8 * SPINNERS * MIB, processes: 2 * SPINNERS + 20 },
    signal: stopping.signal,
  })
  const ended = busy.catch(() => undefined)
  try {
    await until(() => expect(countRunnable()).toBeGreaterThanOrEqual(SPINNERS))
    return await use(endBusy)
  } finally {
    endBusy()
    await ended
    await setup.sandbox.removeFolder(folder)
  }
}

/** Judges on a busy machine, which is idle after the first rerun. Returns the only verdict. */
async function judgeWithRerun(judgeBusy: (takeRerun: () => boolean) => Promise<Verdict>) {
  const takeRerun = vi.fn(() => true)
  const verdict = await whileBusy((endBusy) => {
    takeRerun.mockImplementation(() => {
      endBusy()
      return true
    })
    return judgeBusy(takeRerun)
  })
  expect(takeRerun).toHaveBeenCalledOnce()
  return verdict
}

testPerl('reruns a program alone that waited for a CPU until the wall limit', async () => {
  const verdict = await judgeWithRerun(judge)
  expect(verdict.status).toBe('ACCEPTED')
  expect(verdict.time_elapsed).toBeGreaterThanOrEqual(0.2)
  expect(verdict.time_elapsed).toBeLessThan(1)
})

testPerl('repeats a compilation alone that waited for a CPU', async () => {
  const compile = ['/usr/bin/perl', '-e', WORKS] as const
  const { check, ...perl } = findDefaultLanguage('perl')
  const compiled = { ...perl, compile, compileLimits: { cpuSeconds: 1, wallSeconds: 2 } }
  const task = { sandbox: setup.sandbox, sourceCode: 'print "done\\n"', limits, language: compiled }
  const verdict = await judgeWithRerun((takeRerun) => judgeOnTests({ ...task, takeRerun }, tests))
  expect([verdict.status, check === undefined]).toEqual(['ACCEPTED', false])
})

testPerl('reports the time limit without a rerun budget', async () => {
  const verdict = await whileBusy(() => judge(() => false))
  expect(verdict.status).toBe('TIME_LIMIT_EXCEEDED')
  expect(verdict.time_elapsed).toBeLessThan(1)
})

testPerl('measures how long both programs of a pair waited for a CPU', async () => {
  const folders = [await setup.sandbox.createFolder(), await setup.sandbox.createFolder()] as const
  const make = (folder: string): RunCommand => ({
    ...{ argv: ['/usr/bin/perl', '-e', WORKS], folder, writable: false, environment: {}, limits: usual },
  })
  const pair = await whileBusy(() =>
    setup.sandbox.runPair({ program: make(folders[0]), validator: make(folders[1]), transcriptBytes: 0 }),
  )
  await Promise.all(folders.map((folder) => setup.sandbox.removeFolder(folder)))
  expect(pair.program.cpuWaitMs).toBeGreaterThan(100)
  expect(pair.validator.cpuWaitMs).toBeGreaterThan(100)
})
