import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readMetadata } from '../../src/problem-format/metadata/problem-yaml.ts'
import { writeProblemYaml } from '../../src/problem-format/metadata/write-problem-yaml.ts'
import { Warnings } from '../../src/problem-format/package-files.ts'
import type { PackageMetadata } from '../../src/problem-format/package-problem.ts'
import { packageFiles } from '../support/package-files.ts'

const read = (text: string) =>
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
const metadata: fc.Arbitrary<PackageMetadata> = fc.record(
  {
    format: fc.constant('2025-09' as const),
    type: fc.constantFrom<PackageMetadata['type'][]>(
      ['pass-fail'],
      ['scoring'],
      ['pass-fail', 'interactive'],
      ['scoring', 'interactive'],
    ),
    names: fc.dictionary(language, text, { minKeys: 1, noNullPrototype: true }),
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
      expect(JSON.parse(JSON.stringify(await read(writeProblemYaml(settings))))).toEqual(plain)
    }),
    { numRuns: 60 },
  )
})

it('writes a short file for a plain problem', () => {
  const settings = {
    type: ['pass-fail'],
    names: { en: 'Sum' },
    keywords: [],
    limits: {},
    uuid: '5d6a',
  } as const
  expect(writeProblemYaml({ format: 'legacy', ...settings })).toBe(
    'problem_format_version: 2025-09\ntype: pass-fail\nname: Sum\nuuid: 5d6a\n',
  )
})

it.each([
  [0.5, 0.1],
  [1.25, 0.01],
  [1 / 3, 1 / 3],
])('writes a resolution that fits the time limit %d', async (time_limit, time_resolution) => {
  const limits = { time_limit }
  const text = writeProblemYaml({
    format: 'legacy',
    type: ['pass-fail'],
    names: { sv: 'Summa' },
    uuid: 'x',
    keywords: [],
    limits,
  })
  expect(await read(text)).toMatchObject({ names: { sv: 'Summa' }, limits: { time_limit, time_resolution } })
})
