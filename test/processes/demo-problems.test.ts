import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { type DemoProblem, type DemoProgram, loadProblems, zipPackage } from '../../demo/load-problems.ts'
import { openTestApp } from '../support/app.ts'
import { judgeProgram, type Result, type TestCase, type Validation } from './judge-program.ts'

const problems = loadProblems(fileURLToPath(new URL('../../demo/problems', import.meta.url)))
const KINDS = ['crashing', 'right', 'slow', 'wrong'] as const

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const categories = await admin.get('/v1/categories')

const scratch = await mkdtemp(join(tmpdir(), 'demo-problems-'))
afterAll(() => rm(scratch, { recursive: true }))

interface Imported {
  readonly status: number
  readonly body: { readonly problem_id: number; readonly imported: unknown; readonly warnings: unknown }
  readonly validation: Validation
  readonly tests: readonly TestCase[]
}

const imports = new Map<DemoProblem, Imported>()
for (const problem of problems) imports.set(problem, await importProblem(problem))

async function importProblem(problem: DemoProblem): Promise<Imported> {
  const { status, body } = await service.send({
    ...{ method: 'POST', url: '/v1/problem_packages', token: admin.token },
    ...{ raw: await zipPackage(problem), headers: { 'content-type': 'application/zip' } },
  })
  if (status !== 201) throw new Error(`${problem.identifier}: ${body.message}`)
  const { validation } = await admin.get(`/v1/problems/${body.problem_id}`)
  const { test_cases: tests } = await admin.get(`/v1/problem_description/${body.problem_id}/tests`)
  return { status, body, validation, tests }
}

function importOf(problem: DemoProblem): Imported {
  const found = imports.get(problem)
  if (found === undefined) throw new Error(`${problem.identifier}: not imported`)
  return found
}

const isSample = ({ name }: TestCase) => name.startsWith('sample/')

/** The results of a JavaScript program, one for each test case. */
async function judge(
  problem: DemoProblem,
  kind: DemoProgram['kind'],
  testCases: readonly TestCase[],
): Promise<Result[]> {
  const program = problem.programs.find((one) => one.kind === kind && one.extension === 'js')
  const { validation } = importOf(problem)
  const results: Result[] = []
  for (const testCase of testCases)
    results.push(await judgeProgram(validation, program?.source_code ?? '', testCase, scratch))
  return results
}

describe('the demo problems', () => {
  it('are at least three, sorted by name, with each kind of validation', () => {
    const identifiers = problems.map(({ identifier }) => identifier)
    expect(identifiers).toEqual(identifiers.toSorted())
    const validations = problems.map((problem) => importOf(problem).validation)
    expect(validations.filter(({ flags }) => flags === '').length).toBeGreaterThanOrEqual(3)
    const types = validations.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['default', 'custom', 'interactive']))
  })

  it('use only categories that every service has', async () => {
    expect(await admin.get('/v1/categories')).toEqual(categories)
  })
})

describe.each(problems)('the demo problem $identifier', (problem) => {
  const { body, tests } = importOf(problem)

  it('is imported without a warning, with its name, programs and validators', async () => {
    expect(body).toMatchObject({ imported: { statements: 1, submissions: 12, categories: 2 }, warnings: [] })
    const { identifier, title } = await admin.get(`/v1/problems/${body.problem_id}`)
    expect(identifier).toBe(problem.identifier)
    expect(title.toLowerCase().replaceAll(/'s|^the |[^a-z]/g, '')).toBe(identifier)
  })

  it('has samples before secret test cases', () => {
    const samples = tests.map(isSample)
    expect(samples).toEqual(samples.toSorted((one, other) => Number(other) - Number(one)))
    expect(new Set(samples)).toEqual(new Set([false, true]))
  })

  it('has a right, a wrong, a crashing and a slow program in three languages', () => {
    const programs = problem.programs.map(({ kind, extension }) => `${kind}.${extension}`)
    const expected = KINDS.flatMap((kind) => ['cpp', 'js', 'py'].map((extension) => `${kind}.${extension}`))
    expect(programs.sort()).toEqual(expected)
  })

  it('has JavaScript programs that pass the samples; only the wrong one fails a secret test case', async () => {
    expect(new Set(await judge(problem, 'right', tests))).toEqual(new Set(['accepted']))
    expect(new Set(await judge(problem, 'slow', tests.filter(isSample)))).toEqual(new Set(['accepted']))
    const wrong = await judge(problem, 'wrong', tests)
    expect(new Set(wrong)).toEqual(new Set(['accepted', 'wrong']))
    expect(wrong.slice(0, tests.filter(isSample).length)).not.toContain('wrong')
  })

  it('has a JavaScript program that crashes in some test cases, and passes all others', async () => {
    expect(new Set(await judge(problem, 'crashing', tests))).toEqual(new Set(['accepted', 'crashed']))
  })
})

describe('a folder of problems', () => {
  it('without problems gives an error, as does an unknown folder of programs', async () => {
    const folder = await mkdtemp(join(scratch, 'folder-'))
    expect(() => loadProblems(folder)).toThrow(/must have a folder for each problem/)
    await mkdir(join(folder, 'sums', 'submissions', 'rejected'), { recursive: true })
    await writeFile(join(folder, 'sums', 'submissions', 'rejected', 'sum.js'), '')
    expect(() => loadProblems(folder)).toThrow(/submissions\/rejected: the demo does not know this folder/)
  })
})
