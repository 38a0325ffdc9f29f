import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadProblems, zipPackage } from '../../demo/load-problems.ts'
import { openTestApp } from '../support/app.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const problems = loadProblems(fileURLToPath(new URL('../../demo/problems', import.meta.url)))
const KINDS = ['crashing', 'right', 'slow', 'wrong']

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

describe('the demo problems', () => {
  it('are at least three, sorted by name, with each kind of validation and the categories of every service', async () => {
    const identifiers = problems.map(({ identifier }) => identifier)
    expect(identifiers).toEqual(identifiers.toSorted())
    const categories = await admin.get('/v1/categories')
    const validations: { type: string; flags?: string }[] = []
    for (const problem of problems) {
      const { problem_id } = await importProblem(await zipPackage(problem))
      validations.push((await admin.get(`/v1/problems/${problem_id}`)).validation)
    }
    expect(validations.filter(({ flags }) => flags === '').length).toBeGreaterThanOrEqual(3)
    const types = validations.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['default', 'custom', 'interactive']))
    expect(await admin.get('/v1/categories')).toEqual(categories)
  })

  // The demo itself judges the programs.
  it.each(problems)(
    '$identifier is imported without a warning, with samples first and a program of each kind in three languages',
    async (problem) => {
      const programs = problem.programs.map(({ kind, extension }) => `${kind}.${extension}`)
      const expected = KINDS.flatMap((kind) => ['cpp', 'js', 'py'].map((extension) => `${kind}.${extension}`))
      expect(programs.sort()).toEqual(expected)
      const { problem_id, imported, warnings } = await importProblem(await zipPackage(problem))
      expect(imported).toMatchObject({ statements: 1, submissions: 12, categories: 2 })
      expect(warnings).toEqual([])
      const { title } = await admin.get(`/v1/problems/${problem_id}`)
      expect(title.toLowerCase().replaceAll(/'s|^the |[^a-z]/g, '')).toBe(problem.identifier)
      const { test_cases } = await admin.get(`/v1/problem_description/${problem_id}/tests`)
      const groups = test_cases.map(({ name }: { name: string }) => name.split('/')[0])
      expect(groups).toEqual(groups.toSorted())
      expect(new Set(groups)).toEqual(new Set(['sample', 'secret']))
    },
  )
})

it('a folder without problems gives an error, as does an unknown folder of programs', async () => {
  const folder = await makeTemporaryFolder()
  expect(() => loadProblems(folder)).toThrow(/must have a folder for each problem/)
  await mkdir(join(folder, 'sums', 'submissions', 'rejected'), { recursive: true })
  await writeFile(join(folder, 'sums', 'submissions', 'rejected', 'sum.js'), '')
  expect(() => loadProblems(folder)).toThrow(/submissions\/rejected: the demo does not know this folder/)
})

async function importProblem(raw: Buffer) {
  const { status, body } = await service.send({
    ...{ method: 'POST', url: '/v1/problem_packages', token: admin.token, raw },
    headers: { 'content-type': 'application/zip' },
  })
  expect(status, body.message).toBe(201)
  return body
}
