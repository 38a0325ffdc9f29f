import type { BadPackage } from './bad-packages.ts'

const YAML = 'problem.yaml'
const HEAD = 'problem_format_version: 2025-09\nname: Small\nuuid: 8c2b7c39-9f32-4f4e-8a49-0d8c5e2a7b10\n'
const SUBMISSIONS = 'submissions/submissions.yaml'
const GROUP = 'data/secret/test_group.yaml'

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

function nest(levels: number): string {
  const group = '{"name": "a", "points": 1, "aggregation": "sum"'
  return `${`${group}, "groups": [`.repeat(levels)}${group}, "cases": [1]}${']}'.repeat(levels)}`
}

/** The refusal names the file, with the line if it has one. */
const hostile = (title: string, file: string, changes: BadPackage['changes']) => ({ title, file, changes })
const own = '.judge-data-layer.json'
const argumentsOf = (characters: number) => `input_validator_args: [${'a'.repeat(characters)}]\n`
const statements = (count: number, text: string) =>
  many(count, (i) => [`statement/problem.${languageOf(i)}.md`, text])
const longFlags = {
  'output_validators/check.py': '',
  [YAML]: `name: Small\nvalidation: custom\nvalidator_flags: ${'a '.repeat(100_000)}\n`,
}
const slowPattern = `accepted:\n  "secret/${'*a'.repeat(46)}": {permitted: AC}\n`
const longMessage = `accepted:\n  message: ${'a'.repeat(200_000)}\n`

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
  hostile('5,000 levels of groups in own settings', own, { [own]: `{"test_groups": [${nest(5000)}]}` }),
  hostile('a slow pattern for many test cases with long names', SUBMISSIONS, {
    ...tests(3000, (i) => `${'a'.repeat(200)}${i}`),
    [SUBMISSIONS]: slowPattern,
  }),
  hostile('a long message for each program', `${SUBMISSIONS}, line 2`, {
    ...programs(200),
    [SUBMISSIONS]: longMessage,
  }),
]
