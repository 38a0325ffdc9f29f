import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoProblem, type DemoTestCase, loadProblems } from '../../demo/load-problems.ts'

const problemsFolder = fileURLToPath(new URL('../../demo/problems', import.meta.url))
const migration = new URL('../../migrations/0009.do.baseline.sql', import.meta.url)
const problems = loadProblems(problemsFolder)

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'demo-problems-'))
})
afterAll(() => rm(scratch, { recursive: true }))

/** Returns the program's output. Its folder is outside any package, as in the worker. */
function runJavaScript(path: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [path], { timeout: 10_000, cwd: scratch }, (err, stdout) =>
      err ? reject(err) : resolve(stdout),
    )
    child.stdin?.end(input)
  })
}

async function writeSolution(problem: DemoProblem, kind: string): Promise<string> {
  const solution = problem.solutions.find((found) => found.kind === kind && found.extension === 'js')
  if (!solution) throw new Error(`${problem.identifier} has no ${kind}.js`)
  const path = join(scratch, `${problem.identifier}-${kind}.js`)
  await writeFile(path, solution.source_code)
  return path
}

async function expectRight(path: string, testCases: readonly DemoTestCase[]): Promise<void> {
  for (const testCase of testCases) {
    expect(await runJavaScript(path, testCase.input)).toBe(testCase.expected_output)
  }
}

describe('the demo problems', () => {
  it('are at least three, sorted, each with samples before hidden test cases and nine solutions', () => {
    expect(problems.length).toBeGreaterThanOrEqual(3)
    expect(problems.map((problem) => problem.identifier)).toEqual(
      problems.map((problem) => problem.identifier).sort(),
    )
    for (const problem of problems) {
      const hidden = problem.test_cases.map((testCase) => testCase.hidden)
      expect(hidden).toEqual([...hidden].sort((one, other) => Number(one) - Number(other)))
      expect(new Set(hidden)).toEqual(new Set([false, true]))
      expect(problem.solutions.map((solution) => `${solution.kind}.${solution.extension}`).sort()).toEqual(
        ['right', 'slow', 'wrong'].flatMap((kind) =>
          ['cpp', 'js', 'py'].map((extension) => `${kind}.${extension}`),
        ),
      )
    }
  })

  it('use only categories of the first migration', async () => {
    const sql = await readFile(migration, 'utf8')
    for (const category of problems.flatMap((problem) => problem.categories))
      expect(sql).toContain(`'${category}'`)
  })

  it.each(problems)('$identifier shows every sample in its statement', (problem) => {
    for (const sample of problem.test_cases.filter((testCase) => !testCase.hidden)) {
      const shown = `Input\n\n\`\`\`\n${sample.input}\`\`\`\n\nOutput\n\n\`\`\`\n${sample.expected_output}\`\`\`\n`
      expect(problem.prompt).toContain(shown)
    }
  })
})

describe.each(problems)('the JavaScript solutions of $identifier', (problem) => {
  const samples = problem.test_cases.filter((testCase) => !testCase.hidden)
  const hidden = problem.test_cases.filter((testCase) => testCase.hidden)

  it('right.js passes every test case', async () => {
    await expectRight(await writeSolution(problem, 'right'), problem.test_cases)
  })

  it('wrong.js passes the samples and fails a hidden test case', async () => {
    const path = await writeSolution(problem, 'wrong')
    await expectRight(path, samples)
    for (const testCase of hidden) {
      if ((await runJavaScript(path, testCase.input)) !== testCase.expected_output) return
    }
    expect.fail('wrong.js passed every test case')
  })

  it('slow.js passes the samples', async () => {
    await expectRight(await writeSolution(problem, 'slow'), samples)
  })
})

describe('a malformed problem', () => {
  const malformed: [fault: string, file: string, text: string | undefined, message: RegExp][] = [
    ['without problem.json', 'problem.json', undefined, /problem\.json: must be readable JSON/],
    ['with broken JSON', 'problem.json', '{', /problem\.json: must be readable JSON/],
    ['with fields missing', 'problem.json', '{"title":"T"}', /problem\.json: .*identifier/],
    ['with an empty statement', 'prompt.md', ' \n', /prompt\.md: must match/],
    ['without a statement', 'prompt.md', undefined, /prompt\.md/],
    [
      'with an input without an output',
      'tests/01.sample.out',
      undefined,
      /01\.sample\.in: must have a partner/,
    ],
    ['with an output without an input', 'tests/99.out', '1\n', /99\.out: must have a partner 99\.in/],
    ['with an empty input', 'tests/03.in', '', /03\.in: input must not have fewer than 1/],
    [
      'with a test file of another name',
      'tests/notes.txt',
      'x',
      /notes\.txt: must be called like 01\.sample\.in/,
    ],
    ['without a right solution', 'solutions/right.js', undefined, /solutions: must have right\.js/],
    ['with a solution of another kind', 'solutions/quick.js', 'x', /quick\.js: kind must be/],
    ['with a solution in another language', 'solutions/slow.rb', 'x', /slow\.rb: extension must be/],
  ]

  it.each(malformed)('%s gives an error that names the file', async (_fault, file, text, message) => {
    const folder = await mkdtemp(join(scratch, 'malformed-'))
    await cp(join(problemsFolder, 'courier-route'), join(folder, 'courier-route'), { recursive: true })
    expect(loadProblems(folder)).toHaveLength(1)
    const path = join(folder, 'courier-route', file)
    await (text === undefined ? rm(path) : writeFile(path, text))
    expect(() => loadProblems(folder)).toThrow(message)
  })

  it('in a folder with another name gives an error', async () => {
    const folder = await mkdtemp(join(scratch, 'renamed-'))
    await cp(join(problemsFolder, 'courier-route'), join(folder, 'other'), { recursive: true })
    expect(() => loadProblems(folder)).toThrow(/identifier must be the folder's name, other/)
  })

  it('gives an error if the folder has no problem', async () => {
    const folder = await mkdtemp(join(scratch, 'empty-'))
    expect(() => loadProblems(folder)).toThrow(/must have a folder for each problem/)
  })
})
