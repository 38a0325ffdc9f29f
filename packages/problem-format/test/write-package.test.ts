import { replaceHidden } from '@judge-data-layer/runtime/visible-text'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readMetadata } from '../src/metadata/problem-yaml.ts'
import { writeProblemYaml } from '../src/metadata/write-problem-yaml.ts'
import { type PackageFiles, Warnings } from '../src/package/package-files.ts'
import type { PackageMetadata } from '../src/package/package-problem.ts'
import { readPackage } from '../src/read-package.ts'
import { readPrograms } from '../src/submissions/submissions.ts'
import { type ExportedProblem, writePackage } from '../src/write-package.ts'
import { packageFiles } from './support/package-files.ts'
import { testFiles } from './support/read-package.ts'

const YAML = `problem_format_version: 2025-09
name: {en: Sums, da: Summer, fi: Summat}
uuid: 8c2b7c39-9f32-4f4e-8a49-0d8c5e2a7b10
constants: {n: 5}
`

/** The files of an export of a package that was imported and then changed. */
async function writeChanged(
  contents: Readonly<Record<string, string>>,
  changes: Partial<ExportedProblem> = {},
) {
  const files = packageFiles({ 'problem.yaml': YAML, ...testFiles('secret/1'), ...contents })
  const read = await readPackage(files, undefined, new Warnings())
  const written = await writePackage({
    ...read,
    ...{ id: 1, prompt: read.prompt ?? '', hasOwnStatements: true, difficulty: 'MEDIUM', timeout: null },
    ...{ upload_date: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', categories: [] },
    tests: read.tests.map((test) => ({ ...test, hint: null, description: null })),
    files: read.files.map(({ path, file }) => ({ ...file, path })),
    ...changes,
  })
  return { written, read, files }
}

/** Such an export, and what an import of it reads. */
async function exportPackage(...args: Parameters<typeof writeChanged>) {
  const exported = await writeChanged(...args)
  const warnings = new Warnings()
  const again = await readPackage(exported.written, undefined, warnings)
  return { ...exported, again, warnings: warnings.list.map(({ message }) => message) }
}

const REPLACED = 'is replaced: names have no invisible, control and direction characters'

it('an export names exactly the languages that have a statement', async () => {
  const contents = Object.fromEntries(['en', 'da', 'sv'].map((one) => [`statement/problem.${one}.md`, one]))
  const { again, warnings } = await exportPackage(contents, { title: 'New' })
  expect(again.metadata.names).toEqual({ da: 'Summer', en: 'New', sv: 'Sums' })
  expect(warnings.filter((message) => message.startsWith('name '))).toEqual([])
})

it('an export keeps an edited prompt that has names of constants', async () => {
  const contents = { 'statement/problem.en.md': 'At most {{n}}.' }
  const prompt = 'Print {{n}}.'
  const { again } = await exportPackage(contents, { prompt, hasOwnStatements: false })
  expect(again.prompt).toBe(prompt)
})

it('an export keeps titles, sources and categories that problem.yaml cannot have; an import of it replaces hidden characters', async () => {
  const categories = Array.from({ length: 1000 }, (_, i) => '🎈'.repeat(251) + String(i).padStart(4, '0'))
  const changes = { title: ' Sums\u0001', source: '"\u0001'.repeat(500_000), categories }
  const { again, warnings } = await exportPackage({}, changes)
  expect(again).toMatchObject({ title: 'Sums\uFFFD', source: changes.source, keywords: categories })
  expect(warnings).toContain(`title: U+0001 ${REPLACED}`)
})

it('an export keeps categories that are no keywords beside those that are', async () => {
  const categories = [' dp', 'a\u202Eb', 'graphs']
  const { written, again } = await exportPackage({}, { categories })
  expect(again.keywords).toEqual(['dp', 'a\uFFFDb', 'graphs'])
  expect(String(await written.get('problem.yaml')?.read())).toContain('keywords:\n  - graphs\n')
})

it('an export keeps a submissions.yaml that would be refused now', async () => {
  const path = 'submissions/submissions.yaml'
  const files = [...packageFiles({ [path]: '"**/a.py":\n' }).values()]
  const { written } = await writeChanged({}, { files })
  expect([...written.keys()]).toContain(path)
})

it('a folder that is not a package is refused as such', async () => {
  await expect(readPackage(packageFiles({ 'notes.txt': 'x' }), undefined, new Warnings())).rejects.toThrow(
    'the package: it has no problem.yaml and no data/: is it a package?',
  )
})

const LEGACY = {
  'problem.yaml': 'name: Sums\ntype: scoring\n',
  'problem_statement/problem.tex': 'Add.',
  'submissions/accepted/a.py': '1',
  'submissions/wrong_answer/b.py': '2',
  'submissions/wrong_answer/c.py': '# @EXPECTED_RESULTS@: TIMELIMIT',
  'submissions/time_limit_exceeded/d.py': '3',
  'submissions/run_time_error/e.py': '4',
  'submissions/runtime_error/f.py': '5',
  'submissions/compiler_error/g.py': '6',
  'submissions/mixed/h.py': '7',
}

async function rulesOf(files: PackageFiles, metadata: PackageMetadata) {
  const programs = await readPrograms(files, metadata, new Warnings())
  return programs.map(({ path, rules, expected }) => ({ path, rules, expected }))
}

it('an export of a legacy package expects the same results of its programs', async () => {
  const { files, read, written, again } = await exportPackage(LEGACY)
  const expected = await rulesOf(files, read.metadata)
  expect(expected.find(({ path }) => path.endsWith('/b.py'))?.rules).toMatchObject([
    { useForTimeLimit: false },
  ])
  expect(await rulesOf(written, again.metadata)).toEqual(expected)
})

it('an export gives the partially accepted programs of a legacy package a range of points', async () => {
  const { written, again } = await exportPackage({ ...LEGACY, 'submissions/partially_accepted/i.py': '8' })
  expect(again.test_groups).toMatchObject([{ points: 1 }])
  const programs = await rulesOf(written, again.metadata)
  expect(programs.find(({ path }) => path.endsWith('/i.py'))).toMatchObject({
    rules: [{ score: [0.01, 0.99] }],
  })
})

it('an export of a legacy package leaves out a submissions.yaml that had no effect', async () => {
  const program = 'submissions/accepted/a.py'
  const rules = { 'submissions/submissions.yaml': 'accepted: {permitted: [WA]}\n' }
  const { written } = await exportPackage({ 'problem.yaml': 'name: Sums\n', [program]: '1', ...rules })
  expect([...written.keys()].filter((path) => path.startsWith('submissions/'))).toEqual([program])
})

it('an export renames the files of a test case with its name, and drops those of former groups', async () => {
  const images = { 'data/secret/a/1.png': 'x', 'data/secret/a/10.png': 'y' }
  const contents = { ...testFiles('secret/a/1'), ...images }
  const cases = (numbers: number[], name: string) =>
    ({ name, points: 50, aggregation: 'min', cases: numbers }) as const
  // Groups that are other folders than the test cases have.
  const { written } = await exportPackage(contents, { test_groups: [cases([1], 'x'), cases([2], 'y')] })
  const paths = [...written.keys()].filter((path) => path.startsWith('data/secret/'))
  expect(paths.filter((path) => path.endsWith('.png'))).toEqual(['data/secret/y/001.png'])
})

const DIFFERENT_ARGUMENTS = {
  ...testFiles('sample/1', 'secret/2'),
  'data/secret/test_group.yaml': 'output_validator_args: [case_sensitive]\n',
  'data/secret/2.yaml': 'output_validator_args: [float_tolerance, 1e-6]\n',
}

it('an export has different arguments of test cases in the terms of the format', async () => {
  const { read, written, again } = await exportPackage(DIFFERENT_ARGUMENTS)
  const ofCase = (number: number, flags: string) => ({ cases: [number], flags })
  const case_flags = [ofCase(1, ''), ofCase(3, 'float_tolerance 1e-6')]
  expect(read.validation).toEqual({ type: 'default', flags: 'case_sensitive', case_flags })
  const ownSettings = String(await written.get('.judge-data-layer.json')?.read())
  expect(JSON.parse(ownSettings)).not.toHaveProperty('validation')
  expect(again.validation).toEqual(read.validation)
})

it('an export has the numbers of test cases that the format would order differently', async () => {
  const { read } = await exportPackage(DIFFERENT_ARGUMENTS)
  const tests = read.tests.toReversed().map((test) => ({ ...test, hint: null, description: null }))
  for (const cases of [[1], [2], [3]]) {
    const case_flags = [{ cases, flags: 'float_tolerance 1e-6' }]
    const validation = { type: 'default', flags: '', case_flags } as const
    const { again } = await exportPackage(DIFFERENT_ARGUMENTS, { tests, validation })
    expect(again.validation).toEqual(validation)
    expect(again.tests.map(({ hidden }) => hidden)).toEqual([true, true, false])
  }
})

const readYaml = (text: string) =>
  readMetadata(packageFiles({ 'problem.yaml': text, 'output_validator/check.py': '' }), new Warnings())

const text = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }),
    fc.constantFrom('1', 'null', '- a', 'a: b', '#x', '"', 'A <b', '2025-01-01', 'a\nb', '<<', '&a', '*a'),
  )
  .map((one) => one.trim())
  .filter((one) => one !== '')
const optional = { requiredKeys: [] }
const language = fc.constantFrom('en', 'de', 'fil', 'pt-BR')
const person = fc.record({ name: text, email: text, orcid: text, kattis: text }, { requiredKeys: ['name'] })
const persons = fc.array(person, { minLength: 1, maxLength: 3 })
const whole = (max: number) => fc.integer({ min: 1, max })
const factor = fc.double({ min: 1, max: 100, noNaN: true })
const limits = fc.record(
  {
    time_limit: fc.integer({ min: 1, max: 400 }).map((times) => times / 2),
    time_resolution: fc.constant(0.5),
    time_multipliers: fc.record({ ac_to_time_limit: factor, time_limit_to_tle: factor }, optional),
    memory: whole(1_048_576),
    output: whole(256),
    code: whole(1000),
    compilation_time: whole(86_400),
    validation_output: whole(256),
  },
  { requiredKeys: ['time_resolution'] },
)
/** JSON has no negative zero. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0)
const constants = fc.dictionary(
  fc.stringMatching(/^[a-z_]{1,9}$/),
  fc.oneof(fc.string(), number).map((value) => ({ value, tex: 'x' })),
)
const name = text.map(replaceHidden).filter((one) => one !== '')
const metadata: fc.Arbitrary<PackageMetadata> = fc.record(
  {
    format: fc.constant('2025-09' as const),
    type: fc.constantFrom<PackageMetadata['type'][]>(
      ['pass-fail'],
      ['scoring'],
      ['pass-fail', 'interactive'],
      ['scoring', 'interactive'],
    ),
    names: fc.dictionary(language, name, { minKeys: 1, noNullPrototype: true }),
    uuid: text,
    version: text,
    credits: fc.record(
      { authors: persons, testers: persons, translators: fc.dictionary(language, persons) },
      optional,
    ),
    source: fc.array(fc.record({ name: text, url: text }, { requiredKeys: ['name'] }), { minLength: 1 }),
    license: fc.constantFrom('unknown', 'cc by', 'public domain'),
    rights_owner: text,
    embargo_until: fc.constantFrom('2025-01-01', '2025-01-01T10:00:00Z'),
    keywords: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 3 }),
    languages: fc.constantFrom(['python3'], ['cpp', 'java']),
    allow_file_writing: fc.boolean(),
    constants,
    limits: fc.oneof(fc.constant({}), limits),
  },
  { requiredKeys: ['format', 'type', 'names', 'uuid', 'keywords', 'limits'] },
)

it('writes settings that are read as the same settings', async () => {
  await fc.assert(
    fc.asyncProperty(metadata, async (settings) => {
      const plain: unknown = JSON.parse(JSON.stringify(settings))
      expect(JSON.parse(JSON.stringify(await readYaml(writeProblemYaml(settings))))).toEqual(plain)
    }),
    { numRuns: 60 },
  )
})

const plain = { format: 'legacy', type: ['pass-fail'], keywords: [], limits: {}, uuid: '5d6a' } as const

it('writes a short file for a plain problem', () => {
  const text = 'problem_format_version: 2025-09\ntype: pass-fail\nname: Sum\nuuid: 5d6a\n'
  expect(writeProblemYaml({ ...plain, names: { en: 'Sum' } })).toBe(text)
})

it.each([
  [0.5, 0.1],
  [1.25, 0.01],
  [1 / 3, 1 / 3],
])('writes a resolution that fits the time limit %d', async (time_limit, time_resolution) => {
  const names = { sv: 'Summa' }
  const text = writeProblemYaml({ ...plain, names, limits: { time_limit } })
  expect(await readYaml(text)).toMatchObject({ names, limits: { time_limit, time_resolution } })
})
