import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeRun, judgeSubmission } from '../../src/judge.ts'
import { silentLogger } from '../../src/logger.ts'
import type { ProgramLimits } from '../../src/program.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { TestCase } from '../../src/test-case.ts'
import { findDefaultLanguage } from '../support/default-languages.ts'
import { missing, testUnless } from '../support/requirements.ts'
import { missingSandbox } from '../support/sandboxes.ts'
import { judgeOnTests, makeJudgeTools, makeTestCase, makeTestSet } from '../support/test-cases.ts'

const limits: ProgramLimits = { wallSeconds: 10, cpuSeconds: 5, memoryMib: 128 }
const noBubblewrap = await missingSandbox('bubblewrap')

let sandbox: Sandbox

function task(name: string, sourceCode: string, changes: Partial<ProgramLimits> = {}) {
  return { sandbox, language: findDefaultLanguage(name), sourceCode, limits: { ...limits, ...changes } }
}

const doubles = [makeTestCase('1\n', '2\n'), makeTestCase('21\n', '42\n')]
const double = `console.log(Number(require('fs').readFileSync(0, 'utf8')) * 2)`

describe('judging JavaScript without a sandbox', () => {
  beforeAll(async () => {
    sandbox = await openSandbox({ mode: 'unsandboxed', logger: silentLogger })
  })
  afterAll(() => sandbox.close())
  const judge = (code: string, tests: readonly TestCase[] = doubles, changes?: Partial<ProgramLimits>) =>
    judgeOnTests(task('js', code, changes), tests)

  it('accepts a correct program with the result of every test', async () => {
    const verdict = await judge(double)
    const accepted = { status: 'ACCEPTED', stdout: '42\n', stderr: '', failed_test_case_id: null }
    expect(verdict).toMatchObject(accepted)
    expect(verdict.test_case_results).toMatchObject([
      { test_case_id: doubles[0]?.id, stdout: '2\n', stderr: '', passed: true },
      { test_case_id: doubles[1]?.id, stdout: '42\n', stderr: '', passed: true },
    ])
    expect(verdict.time_elapsed).toBeGreaterThan(0)
    expect(verdict.time_elapsed).toBeLessThan(10)
  })

  it('stops at the first failed test and names it; starts no other, and reads at most two more', async () => {
    const more = Array.from({ length: 4 }, () => makeTestCase('5', '10'))
    const tests = makeTestSet([...doubles, ...more])
    const read: number[] = []
    const readCase = (number: number) => {
      read.push(number)
      return tests.read(number)
    }
    const started = join(await mkdtemp(join(tmpdir(), 'judge-test-')), 'started')
    const code = `require('fs').appendFileSync('${started}', 'x'); console.log(2)`
    const verdict = await judgeSubmission(
      task('js', code),
      { ...tests, read: readCase },
      makeJudgeTools(sandbox),
    )
    const failed = { status: 'WRONG_ANSWER', stdout: '2\n', failed_test_case_id: doubles[1]?.id }
    expect(verdict).toMatchObject(failed)
    expect(verdict.test_case_results.map((result) => result.passed)).toEqual([true, false])
    expect(read.slice(0, 2)).toEqual([1, 2])
    expect(Math.max(...read)).toBeLessThanOrEqual(4)
    expect(await readFile(started, 'utf8')).toBe('xx')
    await rm(dirname(started), { recursive: true })
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
  ] as const)(
    'reports a program that %s too long, with its CPU time',
    async (_, code, changes, [least, most]) => {
      const verdict = await judge(code, doubles, changes)
      expect(verdict).toMatchObject({ status: 'TIME_LIMIT_EXCEEDED', failed_test_case_id: doubles[0]?.id })
      expect(verdict.test_case_results).toHaveLength(1)
      expect(verdict.time_elapsed).toBeGreaterThanOrEqual(least)
      expect(verdict.time_elapsed).toBeLessThan(most)
    },
  )

  it('reports a heap above the limit of Node.js', async () => {
    const code = 'const all = []; for (;;) all.push({ text: String(all.length) })'
    const verdict = await judge(code, doubles, { memoryMib: 24 })
    expect(verdict.status).toBe('MEMORY_LIMIT_EXCEEDED')
  })

  it('reports a program that prints endlessly', async () => {
    const verdict = await judge(`for (;;) require('fs').writeSync(1, 'x'.repeat(60000))`)
    expect(verdict.status).toBe('OUTPUT_LIMIT_EXCEEDED')
    expect(verdict.stdout.length).toBe(64 * 1024 + '\n[cut]'.length)
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

  it('refuses a program with a syntax error before any test', async () => {
    const verdict = await judge('const = 1')
    const refused = { status: 'COMPILE_TIME_ERROR', test_case_results: [], failed_test_case_id: null }
    expect(verdict).toMatchObject({ ...refused, time_elapsed: 0 })
    expect(verdict.stderr).toContain('SyntaxError')
  })

  it('hides the output of hidden tests', async () => {
    const leak = `const input = require('fs').readFileSync(0, 'utf8'); console.log(input); console.error(input); process.exitCode = Number(input.length > 7)`
    const tests = [
      makeTestCase('public', 'public'),
      makeTestCase('hidden1', 'hidden1', true),
      makeTestCase('hidden two', 'other', true),
    ]
    const verdict = await judge(leak, tests)
    expect(verdict).toMatchObject({ status: 'RUNTIME_ERROR', failed_test_case_id: tests[2]?.id })
    expect(verdict.test_case_results.map((result) => [result.stdout, result.passed])).toEqual([
      ['public\n', true],
      ['', true],
      ['', false],
    ])
    expect(JSON.stringify(verdict)).not.toMatch(/hidden1|hidden two/)
  })

  it('names the missing command of a language that is not installed', async () => {
    const absent = {
      ...findDefaultLanguage('lua'),
      run: ['no-such-interpreter', '{source}'] as const,
      compile: ['no-such-compiler'] as const,
    }
    const verdict = await judgeOnTests({ sandbox, language: absent, sourceCode: '', limits }, doubles)
    expect(verdict.status).toBe('INTERNAL_ERROR')
    expect(verdict.stderr).toBe(
      'Lua 5.4 is not installed on this judge worker: "no-such-compiler" was not found',
    )
  })

  it('runs a program on its author’s input', async () => {
    const verdict = await judgeRun(task('js', `${double}; console.error('e')`), '4')
    expect(verdict).toMatchObject({ status: 'ACCEPTED', stdout: '8\n', stderr: 'e\n' })
    expect(verdict.runtime).toBeGreaterThan(0)
    const crashed = { status: 'RUNTIME_ERROR', stderr: '[exit code 2]' }
    expect(await judgeRun(task('js', 'process.exit(2)'), '')).toMatchObject(crashed)
    const refused = { status: 'COMPILE_TIME_ERROR', stdout: '', runtime: 0 }
    expect(await judgeRun(task('js', '('), '')).toMatchObject(refused)
  })
})

describe('judging in bubblewrap', () => {
  beforeAll(async () => {
    if (noBubblewrap === undefined) sandbox = await openSandbox({ mode: 'bubblewrap', logger: silentLogger })
  })
  afterAll(() => sandbox?.close())
  const reasons = new Map<string, string | undefined>()
  const unless = (command: string) => {
    if (!reasons.has(command)) {
      reasons.set(command, noBubblewrap ?? missing(command))
      const reason = reasons.get(command)
      if (reason) console.warn(`The tests of judging with ${command} are left out: ${reason}.`)
    }
    return testUnless(reasons.get(command))
  }

  const judgeCpp = (code: string, changes?: Partial<ProgramLimits>) =>
    judgeOnTests(task('c++', code, changes), doubles)

  unless('g++')('refuses C++ that does not compile, with the compiler’s messages', async () => {
    const verdict = await judgeCpp('int main() { return undeclared; }')
    expect(verdict).toMatchObject({ status: 'COMPILE_TIME_ERROR', stdout: '', test_case_results: [] })
    expect(verdict.stderr).toMatch(/main\.cpp:1:\d+: error: .*undeclared/)
  })

  unless('g++')('reports C++ that takes too much memory', async () => {
    const verdict = await judgeCpp(
      `#include <vector>\n#include <cstring>\n#include <cstdlib>\nint main() { for (;;) { void* more = malloc(1 << 20); memset(more, 1, 1 << 20); } }`,
    )
    expect(verdict.status).toBe('MEMORY_LIMIT_EXCEEDED')
  })

  unless('g++')('lets C++ recurse within the memory limit', async () => {
    const deep =
      'int f(int n) { volatile char room[100]; room[0] = n; return n == 0 ? 0 : f(n - 1) + 1 + room[0] * 0; }'
    const verdict = await judgeCpp(
      `#include <cstdio>\n${deep}\nint main() { int n; scanf("%d", &n); printf("%d\\n", f(300000) - 300000 + 2 * n); }`,
    )
    expect(verdict.status).toBe('ACCEPTED')
  })

  unless('g++')('reports a C++ program that crashes', async () => {
    const verdict = await judgeCpp('int main() { int* nowhere = nullptr; *nowhere = 1; }')
    expect(verdict).toMatchObject({ status: 'RUNTIME_ERROR', stderr: '[killed by SIGSEGV]' })
  })

  unless('g++')('does not let the compiler read the machine’s files', async () => {
    const verdict = await judgeCpp(`#include "${import.meta.filename}"\nint main() {}`)
    expect(verdict.status).toBe('COMPILE_TIME_ERROR')
    expect(verdict.stderr).toContain('No such file or directory')
  })

  unless(process.execPath)(
    'reports JavaScript that takes too much memory, on the heap or outside it',
    async () => {
      const heap = 'const all = []; for (;;) all.push({ text: String(all.length) })'
      const outside = 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))'
      for (const code of [heap, outside]) {
        expect(await judgeOnTests(task('js', code, { memoryMib: 32 }), doubles)).toMatchObject({
          status: 'MEMORY_LIMIT_EXCEEDED',
        })
      }
    },
  )

  unless('/usr/bin/javac')('reports Java that takes too much memory', async () => {
    const code = `import java.util.*; public class Main { public static void main(String[] args) {
      List<int[]> all = new ArrayList<>(); for (;;) all.add(new int[100000]); } }`
    expect(await judgeOnTests(task('java', code, { memoryMib: 32 }), doubles)).toMatchObject({
      status: 'MEMORY_LIMIT_EXCEEDED',
    })
  })

  unless('/usr/bin/python3')('refuses Python with a syntax error and reports an exception', async () => {
    expect(await judgeOnTests(task('py', 'print('), doubles)).toMatchObject({
      status: 'COMPILE_TIME_ERROR',
    })
    const thrown = await judgeOnTests(task('py', 'raise ValueError("no")'), doubles)
    expect(thrown.status).toBe('RUNTIME_ERROR')
    expect(thrown.stderr).toMatch(/ValueError: no\n\n\[exit code 1\]$/)
  })

  unless(process.execPath)('passes nothing from one test to the next', async () => {
    const smuggle = `const fs = require('fs'); const input = fs.readFileSync(0, 'utf8');
      for (const folder of ['..', '/tmp', '/dev/shm', __dirname]) { try { fs.appendFileSync(folder + '/seen', input) } catch {} }
      console.log(fs.existsSync('seen') ? fs.readFileSync('seen', 'utf8') : input)`
    const tests = [makeTestCase('hidden', 'hidden', true), makeTestCase('shown', 'shown')]
    expect(await judgeOnTests(task('js', smuggle), tests)).toMatchObject({
      status: 'ACCEPTED',
      stdout: 'shown\n',
    })
  })
})
