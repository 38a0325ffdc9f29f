import type { BadPackage } from './bad-packages.ts'

const YAML = 'problem.yaml'
const HEAD = 'problem_format_version: 2025-09\nname: Small\nuuid: 8c2b7c39-9f32-4f4e-8a49-0d8c5e2a7b10\n'
const SUBMISSIONS = 'submissions/submissions.yaml'
const GROUP = 'data/secret/test_group.yaml'

/** Settings with a constant of 200,000 characters. */
const withConstant = { [YAML]: `${HEAD}constants: {a: ${'a'.repeat(200_000)}}\n` }

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

/** Small packages that would take much memory or time; each is refused with the file at fault. */
export const hostileContents: readonly BadPackage[] = [
  {
    title: 'more than 200 statements',
    changes: many(201, (i) => [`statement/problem.${languageOf(i)}.md`, 'a']),
    file: 'statement/problem.ht.md',
  },
  {
    title: '190 statements with 20 long constants each',
    changes: {
      ...withConstant,
      ...many(190, (i) => [`statement/problem.${languageOf(i)}.md`, '{{a}}'.repeat(20)]),
    },
    file: 'statement/problem.ae.md',
  },
  {
    title: '3,000 long constants in comments of settings',
    changes: { ...withConstant, [GROUP]: '# {{a}}\n'.repeat(3000) },
    ...{ file: GROUP, line: 21 },
  },
  {
    title: 'settings that are too large with their constants',
    changes: { ...withConstant, [GROUP]: '# {{a}}\n'.repeat(2) },
    file: GROUP,
  },
  {
    title: 'arguments of 100,000 characters for 500 test cases',
    changes: {
      ...tests(500, String),
      [GROUP]: `full_feedback: false\ninput_validator_args: [${'a'.repeat(100_000)}]\n`,
    },
    ...{ file: GROUP, line: 2 },
  },
  {
    title: 'arguments of 4 MiB for 1,100 test cases together',
    changes: { ...tests(1100, String), [GROUP]: `input_validator_args: [${'a'.repeat(4000)}]\n` },
    file: 'data/secret/',
  },
  {
    title: 'output validator arguments of 200,000 characters in the settings of a legacy package',
    changes: {
      ...tests(500, String),
      'output_validators/check.py': '',
      [YAML]: `name: Small\nvalidation: custom\nvalidator_flags: ${'a '.repeat(100_000)}\n`,
    },
    ...{ file: YAML, line: 3 },
  },
  {
    title: '5,000 levels of groups in own settings',
    changes: { '.judge-data-layer.json': `{"test_groups": [${nest(5000)}]}` },
    file: '.judge-data-layer.json',
  },
  {
    title: 'a slow pattern for many test cases with long names',
    changes: {
      ...tests(3000, (i) => `${'a'.repeat(200)}${i}`),
      [SUBMISSIONS]: `accepted:\n  "secret/${'*a'.repeat(46)}": {permitted: AC}\n`,
    },
    file: SUBMISSIONS,
  },
  {
    title: 'a long message for each program',
    changes: { ...programs(200), [SUBMISSIONS]: `accepted:\n  message: ${'a'.repeat(200_000)}\n` },
    ...{ file: SUBMISSIONS, line: 2 },
  },
]
