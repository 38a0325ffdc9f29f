import type { smallPackage } from '../support/small-package.ts'

type Changes = Parameters<typeof smallPackage>[0]

/** A package with one fault of its content; the message must begin with the file, and the line. */
type BadPackage = { title: string; changes: Changes; file: string; line?: number }

const YAML = 'problem.yaml'
const OWN = '.judge-data-layer.json'
const GROUP = 'data/secret/test_group.yaml'
const TEST = 'data/secret/1.yaml'
const HEAD = 'problem_format_version: 2025-09\nname: Small\nuuid: 8c2b7c39-9f32-4f4e-8a49-0d8c5e2a7b10\n'

/** A package with another content of the file at fault. */
const fault = (title: string, file: string, content?: string | Buffer, line?: number): BadPackage => ({
  title,
  changes: { [file]: content },
  file,
  ...(line !== undefined && { line }),
})
/** Settings with a fault in line 4. */
const settings = (title: string, text: string) => fault(title, YAML, `${HEAD}${text}\n`, 4)

function aliases(): string {
  const listOf = (name: string | undefined) => Array.from({ length: 9 }, () => `*${name}`).join(', ')
  return [...'bcdefghij'].map((name, i) => `${name}: &${name} [${listOf('abcdefghi'[i])}]`).join('\n')
}

/**
 * Packages that must be refused: one or two for each part of the reader. The refusal names the file
 * and, where the text has one, the line. The tests of the format have the other faults.
 */
export const badPackages: readonly BadPackage[] = [
  settings('an interactive problem without a validator', 'type: interactive'),
  settings('a keyword with NUL', 'keywords: ["a\\0b"]'),
  settings('an owner of the rights with half a character', 'rights_owner: "a\\uD800"'),
  fault('no settings', YAML),
  fault('settings that are not UTF-8', YAML, Buffer.from([0x6e, 0xff])),
  fault(
    'aliases that expand to a billion texts',
    YAML,
    `${HEAD}keywords: &a [${'x, '.repeat(9)}]\n${aliases()}`,
  ),
  fault('custom validation without a validator', YAML, 'name: Small\nvalidation: custom\n', 2),
  fault('unknown flags of the default validator', YAML, 'name: Small\nvalidator_flags: tolerance 1\n', 2),
  fault('unknown arguments of the default validator', GROUP, '#\noutput_validator_args: [tolerance, 1]\n', 2),
  fault('unknown arguments for one test case', TEST, 'hint: x\noutput_validator_args: [tolerance, 1]\n', 2),
  fault('a hint with NUL', TEST, 'description: x\nhint: "a\\0"\n', 2),
  fault('arguments of input validators with NUL', GROUP, 'input_validator_args: ["a\\0"]\n', 1),
  fault('points in a problem without points', GROUP, 'max_score: 3\n', 1),
  fault('an answer without an input', 'data/secret/2.ans', '2\n'),
  fault('a test that is not UTF-8', 'data/secret/1.in', Buffer.from([0x31, 0xff])),
  fault('an answer with a NUL', 'data/secret/1.ans', '1\n\0', 2),
  fault('a statement that is not UTF-8', 'statement/problem.en.md', Buffer.from([0x61, 0xff])),
  fault('a validator that is not UTF-8', 'output_validator/check.py', Buffer.from([0x23, 0xff])),
  fault('own settings with a fault', OWN, '{"difficulty": "MEDIUM", "timeout": -1}'),
  fault('own settings with a category that cannot be stored', OWN, '{"categories": ["graphs", "a\\ud800b"]}'),
  fault('own settings with an empty category', OWN, '{"categories": [" "]}'),
]

/** Packages with a fault that is only a warning, since other judges accept them. */
export const doubtfulPackages: readonly BadPackage[] = [
  settings('an unknown key', 'colour: blue'),
  fault('an unknown key of the secret data', GROUP, 'args: []\npoints: 3\n', 2),
  { ...fault('no statement', 'statement/problem.en.md'), file: 'statement' },
]

const SUBMISSIONS = 'submissions/submissions.yaml'

/** Settings with a constant of 200,000 characters. */
const withConstant = { [YAML]: `${HEAD}constants: {a: ${'a'.repeat(200_000)}}\n` }
const withComments = (count: number) => ({ ...withConstant, [GROUP]: '# {{a}}\n'.repeat(count) })

/** Files by the numbers from 1 to a count. */
const many = (count: number, fileOf: (i: number) => readonly [string, string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => fileOf(i + 1)))

/** The languages `aa`, `ab` and so on. */
const languageOf = (i: number) => String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26))

const tests = (count: number, nameOf: (i: number) => string) => ({
  ...many(count, (i) => [`data/secret/${nameOf(i)}.in`, '']),
  ...many(count, (i) => [`data/secret/${nameOf(i)}.ans`, '']),
})

const programs = (count: number) => many(count, (i) => [`submissions/accepted/${i}.py`, ''])

/** A package with this statement only. */
function latex(text: string): BadPackage['changes'] {
  return { 'statement/problem.en.md': undefined, 'statement/problem.en.tex': text }
}

function nest(levels: number): string {
  const group = '{"name": "a", "points": 1, "aggregation": "sum"'
  return `${`${group}, "groups": [`.repeat(levels)}${group}, "cases": [1]}${']}'.repeat(levels)}`
}

/** The refusal names the file, with the line if it has one. */
const hostile = (title: string, file: string, changes: BadPackage['changes']) => ({ title, file, changes })
const argumentsOf = (characters: number) => `input_validator_args: [${'a'.repeat(characters)}]\n`
const statements = (count: number, text: string) =>
  many(count, (i) => [`statement/problem.${languageOf(i)}.md`, text])
const longFlags = {
  'output_validators/check.py': '',
  [YAML]: `name: Small\nvalidation: custom\nvalidator_flags: ${'a '.repeat(100_000)}\n`,
}
const slowPattern = `accepted:\n  "secret/${'*a'.repeat(46)}": {permitted: AC}\n`
const longMessage = `accepted:\n  message: ${'a'.repeat(200_000)}\n`

const manyKeys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: 1`).join('\n')

/** Packages that are right, but would keep a careless reader busy. */
export const busyContents: readonly Pick<BadPackage, 'title' | 'changes'>[] = [
  { title: '524,000 comments in LaTeX', changes: latex('%\n'.repeat(524_000)) },
  { title: 'a million backslashes in LaTeX', changes: latex('\\'.repeat(1_048_000)) },
  { title: '300,000 brackets in LaTeX', changes: latex('\\problemname{'.repeat(80_000)) },
  { title: '49,000 empty attachments', changes: many(49_000, (i) => [`attachments/${i}`, '']) },
  { title: '49,000 short attachments', changes: many(49_000, (i) => [`attachments/${i}`, `${i}`]) },
]

/** Small packages that would take much memory or time; each is refused with the file at fault. */
export const hostileContents: readonly BadPackage[] = [
  hostile('more than 200 statements', 'statement/problem.ht.md', statements(201, 'a')),
  hostile('190 statements with 20 long constants each', 'statement/problem.ae.md', {
    ...withConstant,
    ...statements(190, '{{a}}'.repeat(20)),
  }),
  hostile('3,000 long constants in comments of settings', `${GROUP}, line 21`, withComments(3000)),
  hostile('settings that are too large with their constants', GROUP, withComments(2)),
  hostile('arguments of 100,000 characters for 500 test cases', `${GROUP}, line 2`, {
    ...tests(500, String),
    [GROUP]: `full_feedback: false\n${argumentsOf(100_000)}`,
  }),
  hostile('arguments of 4 MiB for 1,100 test cases together', 'data/secret/', {
    ...tests(1100, String),
    [GROUP]: argumentsOf(4000),
  }),
  hostile('output validator arguments of 200,000 characters in a legacy package', `${YAML}, line 3`, {
    ...tests(500, String),
    ...longFlags,
  }),
  ...['[', '{a: ', '- ', '? ', '{', '[a, [', '- a:\n  - '].map((text) =>
    hostile(`131,072 times ${JSON.stringify(text)} in the settings of a test case`, TEST, {
      [TEST]: `x: ${text.startsWith('-') || text.startsWith('?') ? '\n  ' : ''}${text.repeat(131_072 / text.length)}`,
    }),
  ),
  hostile('131,000 lines with a quote', `${YAML}, line 4`, { [YAML]: `${HEAD}${'"\n'.repeat(131_000)}` }),
  hostile('131,000 brackets that close nothing', `${YAML}, line 4`, {
    [YAML]: `${HEAD}${']'.repeat(131_000)}`,
  }),
  hostile('20 test cases with 24,000 keys each', 'data/secret/', {
    ...tests(20, String),
    ...many(20, (i) => [`data/secret/${i}.yaml`, manyKeys(24_000)]),
  }),
  hostile('70 test cases with settings of 250 KiB each', 'data/secret/', {
    ...tests(70, String),
    ...many(70, (i) => [`data/secret/${i}.yaml`, `hint: ${'a'.repeat(250 * 1024)}\n`]),
  }),
  hostile('65 levels of directories', '"attachments/', { [`attachments/${'a/'.repeat(64)}b`]: '' }),
  hostile('20,000 attachments in 60 nested folders each', 'the package', {
    ...many(20_000, (i) => [`attachments/${i}/${'a/'.repeat(60)}b`, '']),
  }),
  hostile('5,000 levels of groups in own settings', OWN, { [OWN]: `{"test_groups": [${nest(5000)}]}` }),
  hostile('a slow pattern for many test cases with long names', SUBMISSIONS, {
    ...tests(3000, (i) => `${'a'.repeat(200)}${i}`),
    [SUBMISSIONS]: slowPattern,
  }),
  hostile('a long message for each program', `${SUBMISSIONS}, line 2`, {
    ...programs(200),
    [SUBMISSIONS]: longMessage,
  }),
]
