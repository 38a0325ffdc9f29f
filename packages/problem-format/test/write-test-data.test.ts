import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestGroup } from '../src/package/judging-options.ts'
import type { WritableTest, WritableTestData } from '../src/test-data/test-names.ts'
import { compareNames } from '../src/test-data/test-tree.ts'
import { writeTestData } from '../src/test-data/write-test-data.ts'
import { latest, latestScoring, minOf, readData, testFiles } from './support/read-package.ts'

const hidden = (...names: readonly (string | null)[]): WritableTest[] =>
  names.map((name) => ({ name, hidden: true }))
const sample = (name: string | null): WritableTest => ({ name, hidden: false })

/** Writes test data and reads it again. */
async function readBack(problem: WritableTestData) {
  const { names, files } = writeTestData(problem)
  const contents = Object.fromEntries(files.map(({ path, content }) => [path, content]))
  return readData({ ...testFiles(...names), ...contents }, problem.groups ? latestScoring : latest)
}

describe('names of test cases', () => {
  const inOrder = ['secret/a/1', 'secret/a-b/2']
  it.each<[string, WritableTest[], string[]]>([
    ['that is kept in this order', [sample('sample/one'), ...hidden(...inOrder)], ['sample/one', ...inOrder]],
    ['that no test case has', [sample(null), ...hidden(null)], ['sample/001', 'secret/001']],
    ['twice', hidden('secret/1', 'secret/1'), ['secret/001', 'secret/002']],
    ['in another folder', hidden('other/1'), ['secret/001']],
    ['with a space', hidden('secret/a b'), ['secret/001']],
    ['with ..', hidden('secret/../a'), ['secret/001']],
    ['of settings', hidden('secret/test_group'), ['secret/001']],
    ['of a folder of files', hidden('secret/a.files/1'), ['secret/001']],
    ['that is also a directory', hidden('secret/a', 'secret/a/1'), ['secret/001', 'secret/002']],
    ['of a secret one that is public', [sample('secret/1')], ['sample/001']],
    ['of a sample that is hidden', hidden('sample/1'), ['secret/001']],
    ['made after the last one', hidden('secret/01', null, null), ['secret/01', 'secret/02', 'secret/03']],
    ['made between others', hidden('secret/1', null, 'secret/2'), ['secret/1', 'secret/1-1', 'secret/2']],
    ['made after a name without a number', hidden('secret/huge', null), ['secret/huge', 'secret/huge-1']],
    [
      'made after 9, and sorted after it',
      hidden('secret/9', null, null),
      ['secret/9', 'secret/9-1', 'secret/9-2'],
    ],
    ['made first of its kind', [sample('sample/1'), ...hidden(null)], ['sample/1', 'secret/1']],
    [
      'made where the visibility has changed',
      [sample('secret/1'), ...hidden('secret/2', 'sample/1')],
      ['sample/0-1', 'secret/2', 'secret/3'],
    ],
  ])('are kept where the format has the same order, else new: a name %s', (_, tests, names) => {
    expect(writeTestData({ tests, flags: '' })).toEqual({ names, files: [] })
  })

  it.each([
    ['each with a name', 1000, 'secret/g1999/9-1'],
    ['one with a name', 1, 'secret/g1999/010'],
  ])('are made for 10,000 test cases of 1,000 groups with few looks at each: %s', (_, named, last) => {
    let looks = 0
    const tests = Array.from({ length: 10_000 }, (_, i) => ({
      name: i < named ? `secret/g${i + 1000}/1` : null,
      get hidden() {
        looks += 1
        return true
      },
    }))
    const groups = Array.from({ length: 1000 }, (_, g) =>
      minOf(`g${g + 1000}`, 1, ...Array.from({ length: 10 }, (_, i) => g + 1000 * i + 1)),
    )
    const { names } = writeTestData({ tests, groups, flags: '' })
    expect([names.length, names.at(-1)]).toEqual([10_000, last])
    expect(looks).toBeLessThanOrEqual(10 * tests.length)
  })

  it('are kept in another order', () => {
    const names = ['secret/2', 'secret/1']
    expect(writeTestData({ tests: hidden(...names), flags: '' }).names).toEqual(names)
  })

  it('have enough digits', () => {
    const { names } = writeTestData({ tests: hidden(...Array(1000).fill(null)), flags: '' })
    expect([names[0], names[999]]).toEqual(['secret/0001', 'secret/1000'])
  })

  it('are new in the folder of the group', () => {
    const groups = [minOf('a', 40, 1, 4), minOf('b', 60, 2, 3)]
    const tests = hidden('secret/a/1', 'secret/b/1', null, null)
    const names = ['secret/a/1', 'secret/b/1', 'secret/b/2', 'secret/a/2']
    expect(writeTestData({ tests, groups, flags: '' }).names).toEqual(names)
  })

  it('are kept for samples that stay hidden', () => {
    const names = ['sample/1', 'secret/1']
    const problem = { tests: hidden(...names), groups: [minOf('secret', 100, 2)], flags: '' }
    const written = writeTestData({ ...problem, staysHidden: (name) => name === 'sample/1' })
    expect(written.names).toEqual(names)
  })
})

describe('groups', () => {
  const tests = [sample(null), ...hidden(null, null, null)]

  const inGroups = ['sample/001', 'secret/a/001', 'secret/b/001', 'secret/b/002']
  it.each<[string, TestGroup[], string[]]>([
    [
      'of all hidden test cases named secret',
      [minOf('secret', 100, 2, 3, 4)],
      ['sample/001', 'secret/001', 'secret/002', 'secret/003'],
    ],
    ['in order', [minOf('a', 40, 2), minOf('b', 60, 3, 4)], inGroups],
    ['in a min group named secret', [minOf('secret', 50, minOf('a', 50, 2), minOf('b', 50, 3, 4))], inGroups],
  ])('are exact: %s', async (_, groups, names) => {
    const problem = { tests, groups, flags: '' }
    expect(writeTestData(problem).names).toEqual(names)
    const { groups: found, warnings } = await readBack(problem)
    expect({ found, warnings }).toEqual({ found: groups, warnings: [] })
  })
})

describe('settings', () => {
  const of = (...words: string[]) =>
    `output_validator_args:\n${words.map((word) => `  - ${word}\n`).join('')}`

  it('have arguments of the validator for a group if all of its test cases have them, else for each test case', () => {
    const secret = { hidden: true }
    const { files } = writeTestData({
      tests: [
        { ...sample('sample/1'), outputFlags: 'x' },
        { ...secret, name: 'secret/a/1' },
        { ...secret, name: 'secret/b/1', outputFlags: ' y z' },
        { ...secret, name: 'secret/b/deep/1', outputFlags: 'y  z' },
        { ...secret, name: 'secret/c/1', outputFlags: '', hint: 'Add.' },
        { ...secret, name: 'secret/c/2', hint: 'Add.' },
      ],
      groups: [minOf('a', 10, 2), minOf('b', 10, 3, 4), minOf('c', 10, 5, 6)],
      flags: 'p',
    })
    const group = 'max_score: 10\nscore_aggregation: min\n'
    expect(files).toEqual([
      { path: 'data/sample/test_group.yaml', content: of('x') },
      { path: 'data/secret/test_group.yaml', content: 'max_score: 30\nscore_aggregation: sum\n' },
      { path: 'data/secret/a/test_group.yaml', content: group + of('p') },
      { path: 'data/secret/b/test_group.yaml', content: group + of('y', 'z') },
      { path: 'data/secret/c/test_group.yaml', content: group },
      { path: 'data/secret/c/1.yaml', content: 'hint: Add.\n' },
      { path: 'data/secret/c/2.yaml', content: `hint: Add.\n${of('p')}` },
    ])
  })
})

describe('written test data', () => {
  const text = fc.option(fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }), { nil: undefined })
  const names = ['sample/1', 'sample/a-b', 'secret/1', 'secret/a/1', 'secret/b/x', 'secret/c']
  const name = fc.constantFrom(null, ...names)
  const ownFlags = fc.constantFrom(undefined, undefined, '', 'a 1e-6', 'x', '"q" yes {{n}}')
  const fields = { name, hidden: fc.boolean(), hint: text, description: text, outputFlags: ownFlags }
  const test = fc.record(fields).map(
    ({ hint, description, outputFlags, ...rest }): WritableTest => ({
      ...rest,
      ...(hint !== undefined && { hint }),
      ...(description !== undefined && { description }),
      ...(outputFlags !== undefined && { outputFlags }),
    }),
  )
  const sorted = (tests: readonly WritableTest[]) =>
    tests.toSorted((a, b) => Number(a.hidden) - Number(b.hidden))
  const tests = fc.oneof(
    fc.array(test, { minLength: 1, maxLength: 6 }),
    fc.array(test, { minLength: 1, maxLength: 6 }).map(sorted),
  )
  /** Splits the hidden test cases into groups. */
  const problem = fc
    .record({
      tests,
      sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
      points: fc.constantFrom(0, 20, 33.5),
      aggregation: fc.constantFrom('sum' as const, 'min' as const),
      names: fc.constantFrom(['a', 'b', 'c', 'd'], ['secret', 'b', 'c', 'd'], ['x y', 'é', 'a', 'b']),
      shape: fc.constantFrom('none', 'groups', 'outer'),
      flags: fc.constantFrom('', 'a 1e-6'),
    })
    .map(({ tests, sizes, points, aggregation, names, shape, flags }): WritableTestData => {
      const numbers = tests.flatMap((test, i) => (test.hidden ? [i + 1] : []))
      if (shape === 'none' || numbers.length === 0) return { tests, flags }
      const groups: TestGroup[] = []
      for (const [i, size] of [...sizes, numbers.length].entries()) {
        const cases = numbers.splice(0, size)
        if (cases.length > 0) groups.push({ name: names[i] ?? 'e', points, aggregation, cases })
      }
      const outer: TestGroup = { name: 'secret', points, aggregation: 'min', groups }
      return { tests, groups: shape === 'outer' ? [outer] : groups, flags }
    })

  /** Whether the format has the groups: they have whole points, and names of folders in order. */
  const isExpressible = ({ groups = [] }: WritableTestData): boolean => {
    const [outer] = groups
    const inner = (outer?.name === 'secret' && outer.groups) || groups
    return inner.every(({ name, points }) => /^[a-e]$/.test(name) && Number.isInteger(points))
  }

  it('is read with the same texts and arguments, and the same order and groups where the format has them', async () => {
    await fc.assert(
      fc.asyncProperty(problem, async (problem) => {
        const { names } = writeTestData(problem)
        const data = await readBack(problem)
        expect(new Set(names).size).toBe(problem.tests.length)
        const { text, others } = data.flags
        const own = new Map(others.flatMap((other) => other.names.map((name) => [name, other.text])))
        expect(names.map((name) => own.get(name) ?? text)).toEqual(
          problem.tests.map(({ outputFlags = problem.flags }) => outputFlags),
        )
        if (names.some((name, i) => compareNames(names[i - 1] ?? '', name) > 0)) return
        expect(data.tests.map(({ input: _, answer: __, ...rest }) => rest)).toEqual(
          problem.tests.map(({ outputFlags: _, ...test }, i) => ({ ...test, name: names[i] })),
        )
        if (isExpressible(problem)) expect(data.groups).toEqual(problem.groups)
      }),
      { numRuns: 50 },
    )
  })
})
