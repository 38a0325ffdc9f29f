import type { TestGroup } from '@judge-data-layer/problem-format/judging-options'
import { replaceHidden } from '@judge-data-layer/runtime/visible-text'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openTestApp } from '../support/app.ts'
import { describeProblem, fetchBytes, sendPackage } from '../support/packages.ts'
import { createCategory } from '../support/problems.ts'
import { smallPackage } from '../support/small-package.ts'
import { zipEntries } from '../support/zip-packages.ts'

const service = await openTestApp()
const admin = await service.createPerson({ admin: true })
const categories = await Promise.all(
  ['Bipartite matching', 'a category of words', 'Größe: 1', ' spaces ', 'x'.repeat(255)].map((name) =>
    createCategory(service, admin, name),
  ),
)

/** Texts that YAML, LaTeX, Markdown, zip files and line ends could change. */
const SIGNS = 'ß 日本 🎈 \u0001 ~ null 1e3 yes <b> $x$ --- ... &a *a !x | " \' {{n}} \\input{x} %'
const SPACED = ['\r\n', '\n', '\t', ' ', '\u{feff}', '\u2028', ': ', '- ', '# ']
const odd = fc.constantFrom(...SPACED, ...SIGNS.split(' '))
const textOf = (minLength: number) =>
  fc.array(odd, { minLength, maxLength: 8 }).map((parts) => parts.join(''))
const filled = textOf(1).filter((text) => text.trim() !== '')
const shown = filled.map(replaceHidden).filter((name) => name !== '')
const seconds = fc.constantFrom(0.1, 0.25, 0.3, 1, 1.5, 2.7, 10, 3600, 86_400, 1e-6, 0.123456789)

const numbersTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

const testCase = fc.record({
  input: textOf(1).filter((text) => text !== ''),
  expected_output: textOf(1).filter((text) => text !== ''),
  hidden: fc.boolean(),
})

const files = fc.constantFrom(
  [{ name: 'check.py', content: 'import sys\n\nsys.exit(42)\n' }],
  [{ name: 'check.py', content: 'x = "{{n}}"' }],
  [
    { name: 'check.cpp', content: '#include "a/b.h"\nint main() { return 42; }\n' },
    { name: 'a/b.h', content: '' },
  ],
)
const cpp = [
  { name: 'check.cpp', content: '#include "testlib.h"\n' },
  { name: 'testlib.h', content: '// \u00e4\r\n' },
]
const PROGRAM_FLAGS = ['', 'a  b', '--most 3', 'ü "quoted words"', '{{n}}']
const DEFAULT_FLAGS = ['', 'case_sensitive', 'float_tolerance 1e-6', ' space_change_sensitive ']
const flags = fc.option(fc.constantFrom(...PROGRAM_FLAGS), { nil: undefined })

const validation = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom(...DEFAULT_FLAGS).map((given) => ({ type: 'default', flags: given })),
  fc.constant({ type: 'default' }),
  fc.record({
    type: fc.constantFrom('custom', 'interactive'),
    files,
    language: fc.constantFrom('Python', 'py3', 'C++', 'cpp', 'JavaScript'),
    flags,
  }),
  fc
    .record({ type: fc.constant('custom'), files: fc.constant(cpp), language: fc.constant('C++') })
    .map((program) => ({ ...program, protocol: 'testlib' })),
  fc.constant({
    type: 'custom',
    files: [
      { name: 'build', content: '#!/bin/sh\n' },
      { name: 'source/x.cpp', content: 'int main() { return 42; }\n' },
    ],
    build: ['sh', '{dir}/build', 'two words'],
    run: ['{dir}/validate', '--fast'],
  }),
)

/** Adds flags of single test cases to a validation, in any order. */
const withCaseFlags = (count: number) =>
  fc
    .tuple(validation, fc.shuffledSubarray(numbersTo(count)), fc.integer({ min: 1, max: 3 }))
    .chain(([validated, numbers, size]) => {
      if (validated === undefined || numbers.length === 0) return fc.constant(validated)
      const choices = validated.type === 'default' ? DEFAULT_FLAGS : PROGRAM_FLAGS
      const entries = [numbers.slice(0, size), numbers.slice(size)].filter((cases) => cases.length > 0)
      const case_flags = fc.tuple(
        ...entries.map((cases) =>
          fc.record({ cases: fc.constant(cases), flags: fc.constantFrom(...choices) }),
        ),
      )
      return case_flags.map((list) => ({ ...validated, case_flags: list }))
    })

const limits = fc.option(
  fc.record(
    {
      output: fc.integer({ min: 1, max: 256 }),
      compilation_time: fc.integer({ min: 1, max: 100 }),
      validation_time: fc.integer({ min: 1, max: 100 }),
      validation_memory: fc.integer({ min: 1, max: 4096 }),
      time_multipliers: fc.constantFrom({ Python: 3 }, { cpp: 0.5, Python: 2.25 }),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
)

const aggregations = fc.constantFrom('sum' as const, 'min' as const)

/** Groups of some of the test cases, in any order, with up to three levels. */
function groupsOf(numbers: readonly number[], points: number, depth: number): fc.Arbitrary<TestGroup[]> {
  return fc
    .tuple(fc.integer({ min: 1, max: Math.min(3, numbers.length) }), aggregations, fc.boolean())
    .chain(([count, aggregation, nested]) =>
      fc.tuple(
        ...Array.from({ length: count }, (_, i) => {
          const part = numbers.filter((_, at) => at % count === i)
          const own = i === 0 ? points - (count - 1) * 0.25 : 0.25
          const head = { name: `group ${i + 1}`, points: own, aggregation }
          if (!nested || depth === 0 || own < 2) return fc.constant<TestGroup>({ ...head, cases: part })
          return groupsOf(part, own, depth - 1).map(
            (groups): TestGroup => ({ ...head, aggregation: 'sum', groups }),
          )
        }),
      ),
    )
}

const groupsFor = (count: number) =>
  fc.shuffledSubarray(numbersTo(count), { minLength: 1 }).chain((numbers) => groupsOf(numbers, 100, 2))

const problem = fc.array(testCase, { minLength: 1, maxLength: 6 }).chain((test_cases) =>
  fc.record(
    {
      title: shown,
      identifier: shown,
      prompt: filled,
      source: fc.oneof(
        textOf(0),
        textOf(1).map((text) => text.repeat(30_000)),
      ),
      difficulty: fc.constantFrom('VERY EASY', 'MEDIUM', 'VERY HARD'),
      timeout: seconds,
      accept_timeout: seconds,
      execution_timeout: seconds,
      memory_limit: fc.constantFrom(1, 256, 4096, 1_048_576),
      category_ids: fc.subarray(categories.map(({ id }) => id)),
      test_cases: fc.constant(test_cases),
      validation: withCaseFlags(test_cases.length),
      test_groups: fc.option(groupsFor(test_cases.length), { nil: undefined }),
      run: fc.constantFrom('all', 'first_failure', undefined),
      limits,
    },
    { requiredKeys: ['title', 'identifier', 'prompt', 'difficulty', 'test_cases'] },
  ),
)

const describeStored = (id: number) => describeProblem(service, admin.token, id)

/** Imports a small package with these changes. */
async function importSmall(changes: Parameters<typeof smallPackage>[0]): Promise<number> {
  const { body } = await sendPackage(service, admin.token, await zipEntries(smallPackage(changes)))
  return body.problem_id
}

/** Imports the export of a problem; resolves to the new problem. */
async function copy(id: number): Promise<number> {
  const exported = await fetchBytes(service, admin.token, `/v1/problem_packages/${id}`)
  expect(exported.status, service.log.at(-2)).toBe(200)
  const { status, text, body } = await sendPackage(service, admin.token, exported.bytes)
  expect(status, text).toBe(201)
  return body.problem_id
}

it('a problem of the plain routes is the same problem after an export and an import', async () => {
  await fc.assert(
    fc.asyncProperty(problem, async (body) => {
      const { id } = await admin.post('/v1/problems', body)
      const first = await describeStored(id)
      expect(shownOf(await describeStored(await copy(id)))).toEqual(shownOf(first))
    }),
    { numRuns: 15 },
  )
})

/**
 * The part that problems without a package have too: names and files come with the first import.
 */
function shownOf(description: Awaited<ReturnType<typeof describeProblem>>) {
  const { settings: _, files: _files, cases: _cases, stored: _stored, test_cases, ...rest } = description
  const texts = test_cases.map(({ name: _name, ...test }: { readonly name?: string }) => test)
  return { ...rest, test_cases: texts }
}

it('illustrations do not change the names of test cases', async () => {
  const id = await importSmall({ 'data/sample/1.png': 'x', 'data/secret/1.png': 'x' })
  const { cases } = await describeStored(id)
  expect((await describeStored(await copy(id))).cases).toEqual(cases)
})

it('a sample with another output keeps its input for solvers, until the sample changes', async () => {
  const id = await importSmall({ 'data/sample/1.out': '1.0\n' })
  const { files, stored, cases, test_cases: tests } = await describeStored(id)
  const offered: { name: string }[] = await admin.get(`/v1/problems/${id}/files`)
  expect(offered.map(({ name }) => name)).toEqual(expect.arrayContaining(['sample-1.in', 'sample-1.out']))
  const input = await fetchBytes(service, admin.token, `/v1/problems/${id}/files/sample-1.in`)
  expect(input.bytes.toString()).toBe('1\n')
  expect(await describeStored(await copy(id))).toMatchObject({ files, stored, cases, test_cases: tests })

  const { test_cases } = await admin.get(`/v1/problem_description/${id}/tests`)
  await admin.put(`/v1/problems/${id}`, {
    test_cases: [...test_cases].reverse().map(({ id: testId, input, expected_output, hidden }) => ({
      ...{ id: testId, input, expected_output, hidden },
    })),
  })
  await copy(id)
})
