import type { smallPackage } from '../support/small-package.ts'

type Changes = Parameters<typeof smallPackage>[0]

/** A package with one fault of its content; the message must begin with the file, and the line. */
export interface BadPackage {
  readonly title: string
  readonly changes: Changes
  readonly file: string
  readonly line?: number
}

const YAML = 'problem.yaml'
const UUID = 'uuid: 8c2b7c39-9f32-4f4e-8a49-0d8c5e2a7b10\n'
const HEAD = `problem_format_version: 2025-09\nname: Small\n${UUID}`

/** Settings with a fault in line 4. */
const settings = (title: string, text: string, line = 4): BadPackage => ({
  title,
  changes: { [YAML]: `${HEAD}${text}\n` },
  file: YAML,
  line,
})

const badSettings: readonly BadPackage[] = [
  settings('a bracket that is not closed', 'limits: {time_limit: 1\nversion: 1'),
  settings('a quote that is not closed', 'source: "Small\nlicense: unknown\nversion: 1'),
  settings('YAML with a tab', 'limits:\n\ttime_limit: 1', 5),
  settings('a key twice', 'name: Again'),
  settings('a time limit of 0', 'limits: {time_limit: 0}'),
  settings('a negative memory limit', 'limits: {memory: -1}'),
  settings('a time limit that is a text', 'limits: {time_limit: fast}'),
  settings(
    'a time limit between two multiples of the resolution',
    'limits: {time_limit: 1.3, time_resolution: 0.5}',
  ),
  settings('a time multiplier below 1', 'limits: {time_multipliers: {ac_to_time_limit: 0.5}}'),
  settings('an unknown type', 'type: guessing'),
  settings('two types that exclude each other', 'type: [pass-fail, scoring]'),
  settings('a type that is not supported', 'type: [multi-pass]'),
  settings('a constant with a name of dashes', 'constants: {a-b: 1}'),
  { title: 'no name', changes: { [YAML]: `problem_format_version: 2025-09\n${UUID}` }, file: YAML },
  { title: 'no settings', changes: { [YAML]: undefined }, file: YAML },
  {
    title: 'empty settings with a name that lacks',
    changes: { [YAML]: 'problem_format_version: 2025-09\n' },
    file: YAML,
  },
  { title: 'a list as settings', changes: { [YAML]: '- name\n' }, file: YAML, line: 1 },
  {
    title: 'an unknown version',
    changes: { [YAML]: 'problem_format_version: 2099-01\nname: Small\n' },
    file: YAML,
    line: 1,
  },
  { title: 'settings that are not UTF-8', changes: { [YAML]: Buffer.from([0x6e, 0xff]) }, file: YAML },
  {
    title: 'aliases that expand to a billion texts',
    changes: { [YAML]: `${HEAD}keywords: &a [x, x, x, x, x, x, x, x, x]\n${aliases()}` },
    file: YAML,
  },
]

function aliases(): string {
  return [...'bcdefghij']
    .map(
      (name, i) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[i]}`).join(', ')}]`,
    )
    .join('\n')
}

const badTests: readonly BadPackage[] = [
  {
    title: 'a secret test without an answer',
    changes: { 'data/secret/1.ans': undefined },
    file: 'data/secret/1.in',
  },
  {
    title: 'a sample without an answer',
    changes: { 'data/sample/1.ans': undefined },
    file: 'data/sample/1.in',
  },
  { title: 'an answer without an input', changes: { 'data/secret/2.ans': '2\n' }, file: 'data/secret/2.ans' },
  {
    title: 'a test that is not UTF-8',
    changes: { 'data/secret/1.in': Buffer.from([0x31, 0xff]) },
    file: 'data/secret/1.in',
  },
  {
    title: 'an answer with a NUL',
    changes: { 'data/secret/1.ans': '1\n\0' },
    file: 'data/secret/1.ans',
    line: 2,
  },
  {
    title: 'a test and a folder of the same name',
    changes: { 'data/secret/1/2.in': '1\n', 'data/secret/1/2.ans': '1\n' },
    file: 'data/secret/1',
  },
  {
    title: 'two texts in place of an output',
    changes: { 'data/sample/1.out': '1\n', 'data/sample/1.ans.statement': '1\n' },
    file: 'data/sample/1',
  },
  {
    title: 'an interaction beside another text',
    changes: { 'data/sample/1.interaction': '<1\n', 'data/sample/1.in.statement': '1\n' },
    file: 'data/sample/1',
  },
  {
    title: 'points in a problem without points',
    changes: { 'data/secret/test_group.yaml': 'max_score: 3\n' },
    file: 'data/secret/test_group.yaml',
    line: 1,
  },
  {
    title: 'broken settings of the secret data',
    changes: { 'data/secret/test_group.yaml': 'args: [\n' },
    file: 'data/secret/test_group.yaml',
  },
]

/** A scoring package with two groups, changed. */
const groups = (title: string, changes: Changes, file: string, line?: number): BadPackage => ({
  title,
  changes: {
    [YAML]: `${HEAD}type: scoring\nlimits: {time_limit: 1}\n`,
    'data/secret/1.in': undefined,
    'data/secret/1.ans': undefined,
    'data/secret/a/test_group.yaml': 'max_score: 40\n',
    'data/secret/a/1.in': '1\n',
    'data/secret/a/1.ans': '1\n',
    'data/secret/b/test_group.yaml': 'max_score: 60\n',
    'data/secret/b/1.in': '1\n',
    'data/secret/b/1.ans': '1\n',
    ...changes,
  },
  file,
  ...(line !== undefined && { line }),
})

const badGroups: readonly BadPackage[] = [
  groups('a test beside groups', { 'data/secret/1.in': '1\n', 'data/secret/1.ans': '1\n' }, 'data/secret/1'),
  groups(
    'a folder beside groups that is none',
    { 'data/secret/c/1.in': '1\n', 'data/secret/c/1.ans': '1\n' },
    'data/secret/c',
  ),
  groups(
    'a group in a group',
    {
      'data/secret/a/x/test_group.yaml': 'max_score: 4\n',
      'data/secret/a/x/1.in': '1\n',
      'data/secret/a/x/1.ans': '1\n',
    },
    'data/secret/a/x/test_group.yaml',
  ),
  groups('a group without a test', { 'data/secret/c/test_group.yaml': 'max_score: 1\n' }, 'data/secret/c'),
  groups(
    'an unknown aggregation',
    { 'data/secret/a/test_group.yaml': 'max_score: 40\nscore_aggregation: max\n' },
    'data/secret/a/test_group.yaml',
    2,
  ),
  groups(
    'negative points',
    { 'data/secret/a/test_group.yaml': 'max_score: -40\n' },
    'data/secret/a/test_group.yaml',
    1,
  ),
  groups(
    'a group without points',
    { 'data/secret/a/test_group.yaml': '{}\n' },
    'data/secret/a/test_group.yaml',
  ),
  groups(
    'points of the samples',
    { 'data/sample/test_group.yaml': 'max_score: 1\n' },
    'data/sample/test_group.yaml',
    1,
  ),
]

/** A legacy package with other settings. */
const legacy = (title: string, text: string, line: number): BadPackage => ({
  title,
  changes: { [YAML]: text },
  file: YAML,
  line,
})

const badPrograms: readonly BadPackage[] = [
  settings('an interactive problem without a validator', 'type: interactive'),
  legacy('custom validation without a validator', 'name: Small\nvalidation: custom\n', 2),
  legacy('unknown flags of the default validator', 'name: Small\nvalidator_flags: tolerance 1\n', 2),
  {
    title: 'unknown arguments of the default validator',
    changes: { 'data/secret/test_group.yaml': '# how\noutput_validator_args: [tolerance, 1]\n' },
    file: 'data/secret/test_group.yaml',
    line: 2,
  },
  {
    title: 'unknown arguments of the default validator for one test case',
    changes: { 'data/secret/1.yaml': 'hint: x\noutput_validator_args: [tolerance, 1]\n' },
    file: 'data/secret/1.yaml',
    line: 2,
  },
  {
    title: 'long arguments',
    changes: { 'data/secret/1.yaml': `hint: x\noutput_validator_args: [a, ${'b'.repeat(4095)}]\n` },
    file: 'data/secret/1.yaml',
    line: 2,
  },
  {
    title: 'own settings with a fault',
    changes: { '.judge-data-layer.json': '{"difficulty": "MEDIUM", "timeout": -1}' },
    file: '.judge-data-layer.json',
  },
  {
    title: 'own settings with a category that cannot be stored',
    changes: { '.judge-data-layer.json': '{"categories": ["graphs", "a\\u0000b"]}' },
    file: '.judge-data-layer.json',
  },
  {
    title: 'own settings with an empty category',
    changes: { '.judge-data-layer.json': '{"categories": [" "]}' },
    file: '.judge-data-layer.json',
  },
  {
    title: 'a validator of no language',
    changes: { 'output_validator/check.txt': 'x\n' },
    file: 'output_validator',
  },
  {
    title: 'a validator of two languages',
    changes: { 'output_validator/a.py': 'x\n', 'output_validator/b.cpp': 'x\n' },
    file: 'output_validator',
  },
  {
    title: 'a validator that is not UTF-8',
    changes: { 'output_validator/check.py': Buffer.from([0x23, 0xff]) },
    file: 'output_validator/check.py',
  },
  {
    title: 'a validator over 4 MiB',
    changes: { 'output_validator/check.py': '#'.repeat(4 * 1024 * 1024 + 1) },
    file: 'output_validator',
  },
]

const badTexts: readonly BadPackage[] = [
  settings('a keyword with NUL', 'keywords: ["a\\0b"]'),
  settings('an owner of the rights with half a character', 'rights_owner: "a\\uD800"'),
  {
    title: 'a hint with NUL',
    changes: { 'data/secret/1.yaml': 'description: x\nhint: "a\\0"\n' },
    file: 'data/secret/1.yaml',
    line: 2,
  },
  {
    title: 'arguments of input validators with NUL',
    changes: { 'data/secret/test_group.yaml': 'input_validator_args: ["a\\0"]\n' },
    file: 'data/secret/test_group.yaml',
    line: 1,
  },
  {
    title: 'a statement that is not UTF-8',
    changes: { 'statement/problem.en.md': Buffer.from([0x61, 0xff]) },
    file: 'statement/problem.en.md',
  },
]

/** Packages that must be refused with the file and, where the text has one, the line. */
export const badPackages: readonly BadPackage[] = [
  ...badSettings,
  ...badTests,
  ...badGroups,
  ...badPrograms,
  ...badTexts,
]

/** Packages with a fault that is only a warning, since other judges accept them. */
export const doubtfulPackages: readonly BadPackage[] = [
  settings('an unknown key', 'colour: blue'),
  settings('an unknown limit', 'limits:\n  time: 1', 5),
  settings('an unknown license', 'license: beerware'),
  {
    title: 'a language without a statement',
    changes: { [YAML]: `problem_format_version: 2025-09\n${UUID}name:\n  en: Small\n  de: Klein\n` },
    file: YAML,
  },
  {
    title: 'no secret tests',
    changes: { 'data/secret/1.in': undefined, 'data/secret/1.ans': undefined },
    file: 'data/secret',
  },
  {
    title: 'an unknown key of a test',
    changes: { 'data/secret/1.yaml': 'tip: x\n' },
    file: 'data/secret/1.yaml',
    line: 1,
  },
  {
    title: 'an unknown key of the secret data',
    changes: { 'data/secret/test_group.yaml': 'args: []\npoints: 3\n' },
    file: 'data/secret/test_group.yaml',
    line: 2,
  },
  groups(
    'a group that requires a later one',
    { 'data/secret/a/test_group.yaml': 'max_score: 40\nrequire_pass: secret/b\n' },
    'data/secret/a/test_group.yaml',
    2,
  ),
  { title: 'no statement', changes: { 'statement/problem.en.md': undefined }, file: 'statement' },
]
