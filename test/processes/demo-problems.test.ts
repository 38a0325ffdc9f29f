import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { describeVerdicts } from '../../demo/attempts.ts'
import { loadProblems, zipPackage } from '../../demo/load-problems.ts'
import { openTestApp } from '../support/app.ts'
import { sendPackage } from '../support/packages.ts'

const problems = loadProblems(fileURLToPath(new URL('../../demo/problems', import.meta.url)))
const KINDS = ['crashing', 'right', 'slow', 'wrong']

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })

// The demo itself judges the programs.
it('the demo problems are imported without a warning, with samples first, and a program of each kind in three languages', async () => {
  const identifiers = problems.map(({ identifier }) => identifier)
  expect(identifiers).toEqual(identifiers.toSorted())
  const categories = await admin.get('/v1/categories')
  const validations: { type: string; flags?: string }[] = []
  for (const { identifier, ...problem } of problems) {
    const programs = problem.programs.map(({ kind, extension }) => `${kind}.${extension}`)
    const expected = KINDS.flatMap((kind) => ['cpp', 'js', 'py'].map((extension) => `${kind}.${extension}`))
    expect(programs.sort(), identifier).toEqual(expected)
    const zip = await zipPackage({ identifier, ...problem })
    const { problem_id, ...found } = (await sendPackage(service, admin.token, zip)).body
    const imported = { statements: 1, submissions: 12, categories: 2 }
    expect(found, identifier).toMatchObject({ imported, warnings: [] })
    const { title, validation, ...stored } = await admin.get(`/v1/problems/${problem_id}`)
    validations.push(validation)
    expect(stored.identifier).toBe(identifier)
    expect(title.toLowerCase().replaceAll(/'s|^the |[^a-z]/g, '')).toBe(identifier)
    const { test_cases } = await admin.get(`/v1/problem_description/${problem_id}/tests`)
    const groups = test_cases.map(({ name }: { name: string }) => name.split('/')[0])
    expect(groups, identifier).toEqual(groups.toSorted())
    expect(new Set(groups)).toEqual(new Set(['sample', 'secret']))
  }
  expect(validations.filter(({ flags }) => flags === '').length).toBeGreaterThanOrEqual(3)
  const types = validations.map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['default', 'custom', 'interactive']))
  expect(await admin.get('/v1/categories')).toEqual(categories)
})

it('the demo shows the reason of a verdict (D23)', () => {
  const attempt = { id: '1', problem: 'Double', language: 'C++', kind: 'wrong', cpuSeconds: 0 } as const
  const verdict = { ...attempt, status: 'WRONG_ANSWER', reason: 'PRESENTATION_ERROR' }
  expect(describeVerdicts([verdict])).toMatch(/ WRONG_ANSWER \(PRESENTATION_ERROR\) +0\.00 +as expected$/m)
})
