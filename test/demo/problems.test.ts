import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { type DemoProblem, type DemoTestCase, loadProblems } from '../../demo/load-problems.ts'
import { passes } from './judge-solution.ts'

const problemsFolder = fileURLToPath(new URL('../../demo/problems', import.meta.url))
const migration = new URL('../../migrations/0009.do.baseline.sql', import.meta.url)
const problems = loadProblems(problemsFolder)
const KINDS = ['right', 'slow', 'wrong'] as const

const scratch = await mkdtemp(join(tmpdir(), 'demo-problems-'))
afterAll(() => rm(scratch, { recursive: true }))

const samplesOf = ({ test_cases }: DemoProblem) => test_cases.filter(({ hidden }) => !hidden)

/** Returns the first test case that a JavaScript solution fails. */
async function findFailure(
  problem: DemoProblem,
  kind: (typeof KINDS)[number],
  testCases: readonly DemoTestCase[],
): Promise<DemoTestCase | undefined> {
  const solution = problem.solutions.find((found) => found.kind === kind && found.extension === 'js')
  for (const testCase of testCases)
    if (!(await passes(problem, solution?.source_code ?? '', testCase, scratch))) return testCase
  return undefined
}

describe('the demo problems', () => {
  it('are at least three, sorted by identifier, and three others with each kind of validation', () => {
    const identifiers = problems.map(({ identifier }) => identifier)
    expect(identifiers).toEqual(identifiers.toSorted())
    const kinds = problems.map(({ validation }) => validation?.type ?? 'comparison')
    expect(kinds.filter((kind) => kind === 'comparison').length).toBeGreaterThanOrEqual(3)
    expect(kinds).toEqual(expect.arrayContaining(['default', 'custom', 'interactive']))
  })

  it('use only categories of the first migration', async () => {
    const sql = await readFile(migration, 'utf8')
    for (const category of problems.flatMap(({ categories }) => categories))
      expect(sql).toContain(`'${category}'`)
  })
})

describe.each(problems)('the demo problem $identifier', (problem) => {
  it('has samples before hidden test cases, and shows them in its statement', () => {
    const hidden = problem.test_cases.map((testCase) => testCase.hidden)
    expect(hidden).toEqual(hidden.toSorted((one, other) => Number(one) - Number(other)))
    expect(new Set(hidden)).toEqual(new Set([false, true]))
    for (const { input, expected_output } of samplesOf(problem)) {
      const talk = new RegExp(`< ${input}(?:[<>] .*\n)*> ! ${expected_output}`)
      if (problem.validation?.type === 'interactive') {
        expect(problem.prompt).toMatch(talk)
        continue
      }
      const shown = `Input\n\n\`\`\`\n${input}\`\`\`\n\nOutput\n\n\`\`\`\n${expected_output}\`\`\`\n`
      expect(problem.prompt).toContain(shown)
    }
  })

  it('has a right, a slow and a wrong solution in three languages', () => {
    const files = problem.solutions.map(({ kind, extension }) => `${kind}.${extension}`)
    const expected = KINDS.flatMap((kind) => ['cpp', 'js', 'py'].map((extension) => `${kind}.${extension}`))
    expect(files.sort()).toEqual(expected)
  })

  it('has JavaScript solutions that pass the samples; only the wrong one fails a hidden test case', async () => {
    expect(await findFailure(problem, 'right', problem.test_cases)).toBeUndefined()
    expect(await findFailure(problem, 'slow', samplesOf(problem))).toBeUndefined()
    expect(await findFailure(problem, 'wrong', problem.test_cases)).toMatchObject({ hidden: true })
  })
})

describe('a malformed problem', () => {
  const VALIDATION = { type: 'custom', language: 'JavaScript', files: ['v.js'] }

  function withField(name: string, value: unknown): string {
    const text = readFileSync(join(problemsFolder, 'courier-route', 'problem.json'), 'utf8')
    return JSON.stringify({ ...JSON.parse(text), [name]: value })
  }

  const malformed: [fault: string, file: string, text: string | undefined, message: RegExp][] = [
    ['no problem.json', 'problem.json', undefined, /problem\.json: must be readable JSON/],
    ['broken JSON', 'problem.json', '{', /problem\.json: must be readable JSON/],
    ['missing fields', 'problem.json', '{"title":"T"}', /problem\.json: .*identifier/],
    ['an empty statement', 'prompt.md', ' \n', /prompt\.md: must match/],
    ['no statement', 'prompt.md', undefined, /prompt\.md/],
    ['an input alone', 'tests/01.sample.out', undefined, /01\.sample\.in: must have a partner/],
    ['an output alone', 'tests/99.out', '1\n', /99\.out: must have a partner 99\.in/],
    ['an empty input', 'tests/03.in', '', /03\.in: input must not have fewer than 1/],
    ['another test file', 'tests/notes.txt', 'x', /notes\.txt: must be called like 01\.sample\.in/],
    ['no right solution', 'solutions/right.js', undefined, /solutions: must have right\.js/],
    ['another kind of solution', 'solutions/quick.js', 'x', /quick\.js: kind must be/],
    ['a solution in another language', 'solutions/slow.rb', 'x', /slow\.rb: extension must be/],
    ['an unknown field', 'problem.json', withField('checker', 'x'), /problem\.json: .*additional/],
    ['an unknown validation', 'problem.json', withField('validation', { type: 'x' }), /validation/],
    [
      'no validator',
      'problem.json',
      withField('validation', VALIDATION),
      /validator\/v\.js: must be readable/,
    ],
  ]

  async function copyProblem(name: string): Promise<string> {
    const folder = await mkdtemp(join(scratch, 'copy-'))
    await cp(join(problemsFolder, 'courier-route'), join(folder, name), { recursive: true })
    return folder
  }

  it.each(malformed)('with %s gives an error that names the file', async (_fault, file, content, message) => {
    const folder = await copyProblem('courier-route')
    expect(loadProblems(folder)).toHaveLength(1)
    const path = join(folder, 'courier-route', file)
    await (content === undefined ? rm(path) : writeFile(path, content))
    expect(() => loadProblems(folder)).toThrow(message)
  })

  it('in a folder with another name gives an error, as does a folder without problems', async () => {
    const renamed = await copyProblem('other')
    expect(() => loadProblems(renamed)).toThrow(/identifier must be the folder's name, other/)
    expect(() => loadProblems(join(renamed, 'other', 'tests'))).toThrow(/must have a folder for each problem/)
  })
})
