import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { judgeRun, judgeSubmission } from '../../src/judging/judge.ts'
import type { ProgramLimits } from '../../src/programs/program-limits.ts'
import type { TestCase } from '../../src/tests/test-set.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { judgeOnTests, makeJudgeTools, makeTestCase, makeTestSet } from '../support/test-cases.ts'
import { useSandbox } from '../support/use-sandbox.ts'

const limits: ProgramLimits = { wallSeconds: 10, cpuSeconds: 5, memoryMib: 128 }
const doubles = [makeTestCase('1\n', '2\n'), makeTestCase('21\n', '42\n')]
const double = `console.log(Number(require('fs').readFileSync(0, 'utf8')) * 2)`

describe('judging JavaScript without a sandbox', () => {
  const setup = useSandbox({ mode: 'unsandboxed' })
  const task = (sourceCode: string, changes: Partial<ProgramLimits> = {}) => ({
    ...{ sandbox: setup.sandbox, language: findDefaultLanguage('js'), sourceCode },
    limits: { ...limits, ...changes },
  })
  const judge = (code: string, tests: readonly TestCase[] = doubles, changes?: Partial<ProgramLimits>) =>
    judgeOnTests(task(code, changes), tests)

  it('stops at the first failed test and names it; starts no other, and reads at most two more', async () => {
    const tests = makeTestSet([...doubles, ...Array.from({ length: 4 }, () => makeTestCase('5', '10'))])
    const read = vi.fn(tests.read)
    const started = join(await makeTemporaryFolder(), 'started')
    const failing = task(`require('fs').appendFileSync('${started}', 'x'); console.log(2)`)
    const verdict = await judgeSubmission(failing, { ...tests, read }, makeJudgeTools(setup.sandbox))
    const failed = { status: 'WRONG_ANSWER', stdout: '2\n', failed_test_case_id: doubles[1]?.id }
    expect(verdict).toMatchObject(failed)
    expect(verdict.test_case_results?.map((result) => result.passed)).toEqual([true, false])
    const numbers = read.mock.calls.flat()
    expect(numbers.slice(0, 2)).toEqual([1, 2])
    expect(Math.max(...numbers)).toBeLessThanOrEqual(4)
    expect(await readFile(started, 'utf8')).toBe('xx')
  })

  it.each([
    ['1\\n\\n2', 'PRESENTATION_ERROR'],
    ['1  \\n2\\n\\n', 'ACCEPTED'],
  ])('gives the output "%s", which differs only in white space, the status %s', async (output, status) => {
    expect(await judge(`console.log("${output}")`, [makeTestCase('-', '1\n2')])).toMatchObject({ status })
  })

  it.each([
    ['sleeps', 'setTimeout(() => {}, 1e6)', { cpuSeconds: 0.3, wallSeconds: 0.4 }, [0, 0.3]],
    ['spins', 'for (;;);', { cpuSeconds: 0.3, wallSeconds: 8 }, [0.3, 8]],
  ] as const)('names the CPU time of a program that %s too long', async (_, code, changes, [least, most]) => {
    const verdict = await judge(code, doubles, changes)
    expect(verdict).toMatchObject({ status: 'TIME_LIMIT_EXCEEDED', failed_test_case_id: doubles[0]?.id })
    expect(verdict.test_case_results).toHaveLength(1)
    expect(verdict.time_elapsed).toBeGreaterThanOrEqual(least)
    expect(verdict.time_elapsed).toBeLessThan(most)
  })

  it('accepts a correct output above the fixed limit', async () => {
    const expected = 'x'.repeat(20 * 2 ** 20)
    const code = `process.stdout.write('x'.repeat(${expected.length}))`
    const verdict = await judge(code, [makeTestCase('-', expected)])
    expect(verdict.status).toBe('ACCEPTED')
    expect(JSON.stringify(verdict).length).toBeLessThan(200_000)
  })

  it('reports a signal or exit code after the program’s own output', async () => {
    const thrown = await judge('console.log(1); console.error("noted"); process.exit(7)')
    expect(thrown).toMatchObject({ status: 'RUNTIME_ERROR', stdout: '1\n', stderr: 'noted\n\n[exit code 7]' })
    const crashed = await judge('process.kill(process.pid, "SIGSEGV")')
    expect(crashed).toMatchObject({ status: 'RUNTIME_ERROR', stderr: '[killed by SIGSEGV]' })
  })

  it('hides the output of hidden tests', async () => {
    const leak = `const input = require('fs').readFileSync(0, 'utf8'); console.log(input); console.error(input); process.exitCode = Number(input.length > 7)`
    const failing = makeTestCase('hidden two', 'other', true)
    const passing = [makeTestCase('public', 'public'), makeTestCase('hidden1', 'hidden1', true)]
    const verdict = await judge(leak, [...passing, failing])
    const [shown, hidden] = [{ stdout: 'public\n', passed: true }, { stdout: '' }]
    expect(verdict).toMatchObject({
      ...{ status: 'RUNTIME_ERROR', failed_test_case_id: failing.id },
      test_case_results: [shown, { ...hidden, passed: true }, { ...hidden, passed: false }],
    })
    expect(JSON.stringify(verdict)).not.toMatch(/hidden1|hidden two/)
  })

  it('runs a program on its author’s input', async () => {
    const verdict = await judgeRun(task(`${double}; console.error('e')`), '4')
    expect(verdict).toMatchObject({ status: 'ACCEPTED', stdout: '8\n', stderr: 'e\n' })
    expect(verdict.runtime).toBeGreaterThan(0)
    const crashed = { status: 'RUNTIME_ERROR', stderr: '[exit code 2]' }
    expect(await judgeRun(task('process.exit(2)'), '')).toMatchObject(crashed)
    const refused = { status: 'COMPILE_TIME_ERROR', stdout: '', runtime: 0 }
    expect(await judgeRun(task('('), '')).toMatchObject(refused)
  })
})
