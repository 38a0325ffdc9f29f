import { expect, it } from 'vitest'
import { readMetadata } from '../src/metadata/problem-yaml.ts'
import { Warnings } from '../src/package/package-files.ts'
import { packageFiles } from './support/package-files.ts'

const NEW = 'problem_format_version: 2025-09\nname: Sum\nuuid: 5d6a\n'

async function readFiles(contents: Record<string, string>) {
  const warnings = new Warnings()
  const metadata = await readMetadata(packageFiles(contents), warnings)
  return { metadata, warnings: warnings.list.map(({ file, line, message }) => `${file}:${line} ${message}`) }
}
const read = (text: string, others: Record<string, string> = {}) =>
  readFiles({ 'problem.yaml': text, 'output_validator/check.py': '', ...others })

const plain = { format: '2025-09', type: ['pass-fail'], names: { en: 'Sum' }, uuid: '5d6a' }
const legacy = {
  format: 'legacy',
  type: ['pass-fail'],
  names: {},
  keywords: [],
  limits: { time_multipliers: { ac_to_time_limit: 5, time_limit_to_tle: 2 } },
}

const CREDITS = `credits:
  authors: Ada
  testers: [Bo, {name: Cy, orcid: 0-1, kattis: cy}]
  translators: {da: Di}`
/** What is read of a text below the required settings of 2025-09. */
const ofNewest: Readonly<Record<string, object>> = {
  '': {},
  'type: interactive': { type: ['pass-fail', 'interactive'] },
  'type: [interactive, scoring]': { type: ['scoring', 'interactive'] },
  'credits: Ada <ada@example.org>': { credits: { authors: [{ name: 'Ada', email: 'ada@example.org' }] } },
  [CREDITS]: {
    credits: {
      authors: [{ name: 'Ada' }],
      testers: [{ name: 'Bo' }, { name: 'Cy', orcid: '0-1', kattis: 'cy' }],
      translators: { da: [{ name: 'Di' }] },
    },
  },
  "source: [{name: Cup, url: 'http://x'}, Tea]": {
    source: [{ name: 'Cup', url: 'http://x' }, { name: 'Tea' }],
  },
  'license: CC BY-SA\nrights_owner: Ada': { license: 'cc by-sa', rights_owner: 'Ada' },
  'license: cc0\ncredits: Ada': { license: 'cc0', credits: { authors: [{ name: 'Ada' }] } },
  'license: cc by\nsource: Cup': { license: 'cc by', source: [{ name: 'Cup' }] },
  'license: public domain': { license: 'public domain' },
  'keywords: [" Graphs ", graphs, a b]': { keywords: ['Graphs', 'a b'] },
  'languages: all\nallow_file_writing: false': { allow_file_writing: false },
  'limits: {time_limit: 1.5, time_resolution: 0.5, memory: 64, time_multipliers: {ac_to_time_limit: 3}}': {
    limits: { time_limit: 1.5, time_resolution: 0.5, memory: 64, time_multipliers: { ac_to_time_limit: 3 } },
  },
  // Constants are as they are written.
  'constants:\n  n: 5\n  most: 9223372036854775807\n  k: {value: 1e9, tex: 10^9}': {
    constants: { n: { value: 5 }, most: { value: '9223372036854775807' }, k: { value: '1e9', tex: '10^9' } },
  },
}

it.each([
  [NEW.replace('Sum', '{en: Sum, pt-BR: Soma}'), { names: { en: 'Sum', 'pt-BR': 'Soma' } }] as const,
  ...Object.entries(ofNewest).map(([text, expected]) => [`${NEW}${text}\n`, expected] as const),
])('reads %j of 2025-09', async (text, expected) => {
  const metadata = { ...plain, keywords: [], limits: {}, ...expected }
  expect(await read(text)).toEqual({ metadata, warnings: [] })
})

/** What is read of a legacy package. */
const ofLegacy: Readonly<Record<string, object>> = {
  '': {},
  'source:\nlicense: ""\nlimits:\n': {},
  'name: Sum\n': { names: { en: 'Sum' } },
  'author: Ada, Bo <b@x.org>, and Cy and Sandra\n': {
    credits: {
      authors: [{ name: 'Ada' }, { name: 'Bo', email: 'b@x.org' }, { name: 'Cy' }, { name: 'Sandra' }],
    },
  },
  'source: Cup\nsource_url: http://x\n': { source: [{ name: 'Cup', url: 'http://x' }] },
  'keywords: dp  Graphs DP\n': { keywords: ['dp', 'Graphs'] },
  'validation: custom interactive\nvalidator_flags: a b\n': {
    ...{ type: ['pass-fail', 'interactive'], has_custom_validator: true, validator_flags: 'a b' },
  },
  'type: scoring\nvalidation: custom score\ngrading: {objective: max}\n': {
    ...{ type: ['scoring'], has_custom_validator: true },
  },
  'limits: {time_multiplier: 3, time_limit: 0.5}\n': {
    limits: { time_limit: 0.5, time_multipliers: { ac_to_time_limit: 3, time_limit_to_tle: 2 } },
  },
  'name: Sum\r\nuuid: x\r\n': { names: { en: 'Sum' }, uuid: 'x' },
  '\uFEFFname: Sum\n': { names: { en: 'Sum' } },
}

it.each(Object.entries(ofLegacy))('reads %j of a legacy package', async (text, expected) => {
  expect(await read(text)).toEqual({ metadata: { ...legacy, ...expected }, warnings: [] })
})

it('reads a package without problem.yaml as a legacy one', async () => {
  expect(await readFiles({})).toEqual({ metadata: legacy, warnings: [] })
})

it('gives a legacy name the language of the only statement', async () => {
  const { metadata } = await read('name: Summa\n', { 'problem_statement/problem.sv.tex': '' })
  expect(metadata.names).toEqual({ sv: 'Summa' })
})

it('reads both spellings in the draft, with one warning', async () => {
  const text = `problem_format_version: 2023-07-draft\nname: {en: Sum}\nauthor: Ada\nlimits: {time_safety_margin: 3}\n`
  const { metadata, warnings } = await read(text)
  expect(metadata).toMatchObject({ names: { en: 'Sum' }, credits: { authors: [{ name: 'Ada' }] } })
  expect(metadata.limits).toEqual({ time_multipliers: { time_limit_to_tle: 3 } })
  const message = 'problem_format_version: the draft is read like 2025-09, as far as the two agree'
  expect(warnings).toEqual([`problem.yaml:1 ${message}`])
})

it('keeps names of JavaScript’s prototypes as data', async () => {
  const { metadata } = await read(`${NEW}constants: {__proto__: 1, constructor: {value: 2}}\n`)
  expect(Object.entries(metadata.constants ?? {})).toEqual([
    ['__proto__', { value: 1 }],
    ['constructor', { value: 2 }],
  ])
  expect(Object.getPrototypeOf(metadata.constants)).toBe(Object.prototype)
})

/** Settings and their faults. */
const refusals = {
  'problem_format_version: draft\n':
    'line 1: problem_format_version must be one of 2025-09, legacy, legacy-icpc, 2023-07-draft; "draft" is not supported',
  'problem_format_version: 2025\n': 'line 1: problem_format_version must be a string: put it in quotes',
  '- a\n': 'line 1: the file must be a map',
  'name: [a\n': 'line 1: Flow sequence in block collection must be sufficiently indented and end with a ]',
  'name: a\nname: b\n': 'line 2: Map keys must be unique',
  'uuid: x\nname: {en: Sum}\n': 'line 2: name must be a string',
  'limits: {time_multiplier: 0.5}\n': 'line 1: limits.time_multiplier must be a number of at least 1',
  'validation: default score\n':
    'line 1: validation must be default, or custom with interactive, score, both or neither',
  'validation: custom score\n': 'line 1: validation score is only for problems with type: scoring',
  'validation: custom multi-pass\n': 'line 1: validation multi-pass: the service cannot judge such problems',
  'type: scoring\ngrading:\n  objective: min\n':
    'line 3: grading.objective min: scores that are minimised are not supported',
  'name: &a [x]\nsource: [*a, *a]\n': 'line 1: name must be a string',
  'problem_format_version: 2025-09\nname: Sum\n': 'uuid is required',
  'problem_format_version: 2025-09\nuuid: 5d6a\n': 'name is required',
  'problem_format_version: 2025-09\nname: {english: Sum}\nuuid: 5d6a\n':
    'line 2: name.english is not a language code, such as en or pt-BR',
}
/** The same below the required settings of 2025-09. */
const refusalsOfNewest = {
  'version: 1.0': 'line 4: version must be a string: put it in quotes',
  'type: [pass-fail, scoring]': 'line 4: type must not have both pass-fail and scoring',
  'type: [scoring, scoring]': 'line 4: type must not have scoring twice',
  'type: []': 'line 4: type must not be empty',
  'type: easy':
    'line 4: type must be one of pass-fail, scoring, interactive, multi-pass, submit-answer, not "easy"',
  'type: multi-pass': 'line 4: type multi-pass: the service cannot judge such problems',
  'credits:\n  testers:\n    - email: x': 'line 6: credits.testers.0 must have a name',
  'embargo_until: 2025-02-30':
    'line 4: embargo_until must be a date (YYYY-MM-DD) or a moment in UTC (YYYY-MM-DDThh:mm:ssZ)',
  'allow_file_writing: 1': 'line 4: allow_file_writing must be true or false',
  'languages: []': 'line 4: languages must not be empty',
  'constants:\n  2x: 1':
    'line 5: constants.2x must have a name of letters, digits and _ that does not begin with a digit',
  'constants:\n  x: {tex: 1}': 'line 5: constants.x must have a value',
  'constants:\n  x: true': 'line 5: constants.x must be a number or a string',
  'limits: 3': 'line 4: limits must be a map',
  'limits:\n  memory: 1.5': 'line 5: limits.memory must be a whole number of MiB from 1 to 1048576',
  'limits:\n  output: 257': 'line 5: limits.output must be a whole number of MiB from 1 to 256',
  'limits:\n  validation_output: 0':
    'line 5: limits.validation_output must be a whole number of MiB from 1 to 256',
  'limits:\n  compilation_time: 86401':
    'line 5: limits.compilation_time must be a whole number of seconds from 1 to 86400',
  'limits:\n  validation_memory: "64"':
    'line 5: limits.validation_memory must be a whole number of MiB from 1 to 1048576',
  'limits:\n  time_limit: 86401':
    'line 5: limits.time_limit must be a number of seconds above 0 and at most 86400',
  'limits:\n  time_limit: 1.5': 'line 5: limits.time_limit must be a multiple of limits.time_resolution, 1 s',
  'limits:\n  time_resolution: 0': 'line 5: limits.time_resolution must be a number of seconds above 0',
  'limits:\n  time_multipliers: {ac_to_time_limit: 0.5}':
    'line 5: limits.time_multipliers.ac_to_time_limit must be a number of at least 1',
}

it.each([
  ...Object.entries(refusals),
  ...Object.entries(refusalsOfNewest).map(([text, message]) => [`${NEW}${text}\n`, message] as const),
])('refuses %j', async (text, message) => {
  const place = message.startsWith('line') ? 'problem.yaml, ' : 'problem.yaml: '
  await expect(read(text)).rejects.toThrow(expect.objectContaining({ message: place + message }))
})

it.each([
  [`[${'a'.repeat(256)}]`, 'at most 255 characters each'],
  ['[a, " "]', 'must not be empty'],
  [JSON.stringify(Array.from({ length: 1001 }, (_, i) => `k${i}`)), 'must be at most 1000'],
])('refuses keywords that cannot be categories: %#', async (keywords, message) => {
  await expect(read(`${NEW}keywords: ${keywords}\n`)).rejects.toThrow(message)
})

/** Settings and their warnings, with the line. */
const doubts = {
  'license: educational\n': '1 license: "educational" needs an owner: add rights_owner, credits or source',
  'limits: {time_multipliers: {}}\n':
    '1 limits.time_multipliers: not imported: legacy packages have time_multiplier and time_safety_margin',
  'credits: Ada\n': '1 credits: only in 2025-09 packages: not imported',
  'source_url: http://x\n': '1 source_url: not imported without source',
  'grading: {objective: max}\n': '1 grading: only for problems with type: scoring: not used',
  'type: scoring\ngrading: {show_test_data_groups: true}\n':
    '2 grading.show_test_data_groups: not used: the service has no such setting',
  'problem_format_version: legacy-icpc\ntype: pass-fail\n':
    '2 type: not a key of legacy-icpc: read as in legacy',
  '__proto__: {a: 1}\n': '1 __proto__: unknown key: not imported',
}
/** The same below the required settings of 2025-09. */
const doubtsOfNewest = {
  'colour:\n  red: 1': '4 colour: unknown key: not imported',
  'limits: {stack: 1}': '4 limits.stack: unknown key: not imported',
  'credits: {judges: Ada}': '4 credits.judges: unknown key: not imported',
  'validation: custom': '4 validation: only in legacy packages: not imported',
  'license: MIT':
    '4 license: "MIT" is imported as unknown; the licences of the format are unknown, public domain, cc0, cc by, cc by-sa, educational, permission',
  'license: cc by-sa\ncredits: {testers: Ada}':
    '4 license: "cc by-sa" needs an owner: add rights_owner, credits or source',
  'license: public domain\nrights_owner: Ada':
    '5 rights_owner: stored, but a problem in the public domain has no owner',
  'allow_file_writing: true': '4 allow_file_writing: stored, but not followed: programs cannot write files',
  'embargo_until: 2025-02-03T04:05:06Z':
    '4 embargo_until: stored, but not enforced: the problem is public when you make it public',
  'languages: [python3]': '4 languages: stored, but not enforced: programs of all languages are judged',
  'limits: {code: 64}':
    '4 limits.code: not enforced: the service has one limit for the source code of all problems',
  'limits: {validation_passes: 3}': '4 limits.validation_passes: only for multi-pass problems: not used',
  'limits: {time_multiplier: 3}':
    '4 limits.time_multiplier: only in legacy packages: not imported, use limits.time_multipliers',
}

it.each([
  ...Object.entries(doubts),
  ...Object.entries(doubtsOfNewest).map(([text, message]) => [`${NEW}${text}\n`, message] as const),
])('warns about %j', async (text, message) => {
  expect((await read(text)).warnings).toEqual([`problem.yaml:${message}`])
})

it('warns of files of the newest version without problem_format_version', async () => {
  const warning = 'problem_format_version is missing: the package is read as a legacy one'
  const expected = { metadata: { format: 'legacy' }, warnings: [`problem.yaml:undefined ${warning}`] }
  expect(await read('name: Sum\n', { 'data/secret/test_group.yaml': '' })).toMatchObject(expected)
})

it('keeps 1,000 warnings of very many unknown keys, with their lines', async () => {
  const { warnings } = await read(Array.from({ length: 25_000 }, (_, i) => `k${i}: 1\n`).join(''))
  expect(warnings.slice(999)).toEqual([
    'problem.yaml:1000 k999: unknown key: not imported',
    'the package:undefined … and 24000 more warnings',
  ])
})

const INI = 'domjudge-problem.ini'

it('takes name, short name and time limit from DOMjudge’s file', async () => {
  const text = '; a comment\n[problem]\nname = "Sum; of\r\n two"\nshort-name=sum ; x\r\ntimelimit = \'1.5\'\n'
  const metadata = { names: { en: 'Sum; of two' }, short_name: 'sum', limits: { time_limit: 1.5 } }
  const warnings = [expect.stringMatching(`^${INI}:3 name: U\\+000A is replaced`)]
  expect(await readFiles({ [INI]: text })).toMatchObject({ metadata, warnings })
})

it('prefers problem.yaml, then .timelimit, then the ini file', async () => {
  const both = { [INI]: 'timelimit = 1\nname=Other\nprobid=A\n', '.timelimit': '2.5\n' }
  expect((await readFiles(both)).metadata.limits.time_limit).toBe(2.5)
  const { metadata, warnings } = await readFiles({
    ...both,
    'problem.yaml': 'name: Sum\nlimits: {time_limit: 4}\n',
  })
  expect(metadata).toMatchObject({ names: { en: 'Sum' }, short_name: 'A', limits: { time_limit: 4 } })
  expect(warnings).toEqual([
    '.timelimit:1 not used: the time limit of problem.yaml is 4 s',
    `${INI}:2 name: not used, problem.yaml has another name`,
  ])
})

it('warns about keys that the service does not have', async () => {
  const { warnings } = await readFiles({ [INI]: 'color = #ff0000\nspecial_compare=float\nsize=3\n' })
  expect(warnings).toEqual([
    `${INI}:1 color: not imported, a contest has the colours of its problems`,
    `${INI}:2 special_compare: not imported, the program is not in the package`,
    `${INI}:3 size: unknown key: not imported`,
  ])
})

const NUMBER = 'must be a number of seconds above 0 and at most 86400'
it.each<[Record<string, string>, string]>([
  [{ '.timelimit': 'two' }, `.timelimit, line 1: the file ${NUMBER}`],
  [{ [INI]: '\ntimelimit=0\n' }, `${INI}, line 2: timelimit ${NUMBER}`],
  [{ [INI]: 'name\n' }, `${INI}, line 1: must be \`key = value\``],
  [{ [INI]: '\nname = "Sum\n' }, `${INI}, line 2: the value must end with "`],
])('refuses %j', async (contents, message) => {
  await expect(readFiles(contents)).rejects.toThrow(expect.objectContaining({ message }))
})
