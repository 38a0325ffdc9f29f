import { join } from 'node:path'
import type { TestGroup, Validation } from '@judge-data-layer/problem-format/judging-options'

type Texts = readonly string[]

/** What a package must become. */
interface Expected {
  readonly title: string
  /** The folder around all files of the zip. */
  readonly topFolder?: string
  /** The names of the test cases, in the order of judging. */
  readonly tests: Texts
  /** The test cases that solvers see. */
  readonly public?: Texts
  readonly hints?: Readonly<Record<string, string>>
  readonly descriptions?: Readonly<Record<string, string>>
  readonly groups?: readonly Omit<TestGroup, 'name'>[]
  /** The default validator without flags unless it is set. */
  readonly validation?: Pick<Validation, 'type' | 'flags' | 'case_flags'>
  readonly validatorFiles?: Texts
  readonly validatorContains?: Texts
  readonly limits?: Readonly<Record<string, number>>
  readonly execution_timeout: number
  readonly provisional?: true
  /** The least and the greatest time limit that the programs may lead to, in seconds. */
  readonly computedTimeLimit?: readonly [number, number]
  /** In MiB; 256 unless it is set. */
  readonly memory_limit?: number
  /** Texts that the problem's source or the package's settings must have. */
  readonly source?: Texts
  readonly prompt: Texts
  readonly promptLacks?: Texts
  readonly categories?: Texts
  readonly files: Texts
  /** Files, with lines: `problem.yaml, line 3`. */
  readonly warnings?: Texts
  /** Names of constants that the statements use. */
  readonly constants?: Texts
  /** The programs below `submissions` by their verdict and points: `WRONG_ANSWER, 40 points`. */
  readonly programs: Readonly<Record<string, Texts>>
}

/** A package of `packages/` and what it must become. */
export interface ExpectedPackage extends Expected {
  readonly name: string
  readonly folder: string
}

const secret = (names: string) => names.split(' ').map((name) => `secret/${name}`)

/** By the names of the folders in `packages/`. */
const byName: Readonly<Record<string, Expected>> = {
  bridges: {
    title: 'Bridges',
    topFolder: 'bridges',
    tests: ['sample/1', 'secret/1-one', 'secret/2-two', 'secret/sub/3-many'],
    public: ['sample/1'],
    validation: { type: 'custom', flags: '--most 3', case_flags: [{ cases: [4], flags: '--most 2' }] },
    validatorFiles: ['README.txt', 'build', 'run', 'source/tree.cpp'],
    execution_timeout: 1,
    source: ['Quentin Pont'],
    prompt: ['Connect $n$ islands', 'three'],
    categories: ['constructive', 'graphs'],
    programs: {
      ACCEPTED: ['accepted/folder', 'accepted/path.py'],
      RUNTIME_ERROR: ['run_time_error/exits.py'],
      WRONG_ANSWER: ['wrong_answer/binary_tree.cpp'],
    },
    files: ['problem.en.tex', 'problem.fr.tex'],
  },
  crates: {
    title: 'Stacking Crates',
    topFolder: 'crates',
    tests: ['sample/1', 'secret/1', 'secret/2'],
    public: ['sample/1'],
    execution_timeout: 2,
    memory_limit: 2048,
    prompt: ['How high is a stack of $n$ crates'],
    promptLacks: ['The height of a stack, in metres'],
    programs: {
      ACCEPTED: ['accepted/Pallet.java', 'accepted/stack.js', 'accepted/stack.py', 'accepted/tower'],
      RUNTIME_ERROR: ['run_time_error/divides.cpp'],
      WRONG_ANSWER: ['wrong_answer/no_pallet.py'],
    },
    files: ['problem.en.tex'],
  },
  guessroom: {
    title: 'Find the Room',
    topFolder: 'guessroom',
    tests: ['sample/1', 'secret/1', 'secret/2', 'secret/3'],
    validation: { type: 'interactive', flags: 'guesses 10' },
    limits: { output: 4 },
    execution_timeout: 2,
    provisional: true,
    source: ['Hotel Contest', 'Emil Versuch'],
    prompt: ['ask the porter ten times', 'Interaction', 'higher'],
    promptLacks: ['\\begin', '\\texttt'],
    categories: ['binary-search', 'interactive'],
    programs: {
      ACCEPTED: ['accepted/halving.py'],
      RUNTIME_ERROR: ['run_time_error/exit_code.py'],
      TIME_LIMIT_EXCEEDED: ['time_limit_exceeded/thinks.py'],
      WRONG_ANSWER: ['wrong_answer/one_by_one.py', 'wrong_answer/silent_end.js'],
    },
    files: ['porter.py', 'problem.de.tex', 'problem.en.tex', 'sample-1.interaction', 'sample-2.interaction'],
  },
  halfway: {
    title: 'Halfway House',
    topFolder: 'halfway',
    tests: ['sample/1', 'sample/2', ...secret('01-negative 02-same 10-precise 9-zero far/10-large')],
    public: ['sample/1', 'sample/2'],
    validation: {
      type: 'default',
      flags: 'float_absolute_tolerance 1e-6',
      case_flags: [{ cases: [7], flags: 'float_absolute_tolerance 1e-6 float_relative_tolerance 1e-6' }],
    },
    execution_timeout: 2,
    provisional: true,
    source: [
      ...['Evening School of Sums 2024', 'https://evening-school.example/2024'],
      ...['Ada Example', 'Ben Sample', 'Carla Probe'],
    ],
    prompt: ['halfway', '\\frac{a+b}{2}', 'same', '-10^9 \\le a, b \\le 10^9'],
    promptLacks: ['root:', '\\input', '\\begin', '\\problemname'],
    categories: ['easy', 'geometry', 'mean'],
    warnings: ['data/secret/01-negative.png', 'problem_statement/problem.tex, line 10'],
    hints: { 'secret/01-negative': 'Both places may be left of zero.' },
    descriptions: {
      'secret/01-negative':
        'Two negative places with an odd sum: rounding towards zero differs from rounding down.',
      'secret/far/10-large': 'The sum has more than 31 bits.',
    },
    programs: {
      ACCEPTED: ['accepted/mean.py', 'accepted/scientific.cpp'],
      RUNTIME_ERROR: ['run_time_error/throw.js'],
      TIME_LIMIT_EXCEEDED: ['time_limit_exceeded/walk.py'],
      WRONG_ANSWER: ['wrong_answer/no_output.py', 'wrong_answer/seven_digits.py', 'wrong_answer/whole.py'],
    },
    files: ['house.png', 'problem.en.tex', 'road.png'],
  },
  lanterns: {
    title: 'Lanterns',
    topFolder: 'lanterns',
    tests: ['sample/1', 'sample/2', 'secret/01-least', 'secret/02-exact', 'secret/03-over', 'secret/04-most'],
    public: ['sample/1', 'sample/2'],
    validation: { type: 'custom', flags: '' },
    validatorFiles: ['__main__.py', 'count.py'],
    validatorContains: ['2 * 2', 'lanterns for {length} metres'],
    limits: { output: 8, compilation_time: 30, validation_time: 20 },
    execution_timeout: 1,
    source: [
      ...['Lamp Cup 2025', 'https://lamps.example/2025', 'School of Light'],
      ...['Ida Beispiel', 'Jonas Muster'],
    ],
    prompt: [
      ...['at most one thousand', '1\\,000', 'lights 2 metres', '{{unknown}} stays'],
      '| symbol | meaning |',
    ],
    promptLacks: ['{{reach}}', '{{max_length', 'ida@lamps.example'],
    categories: ['greedy', 'intervals', 'light & shadow'],
    warnings: [
      'data/invalid_input',
      'data/invalid_output',
      'data/secret/04-most.png',
      'data/valid_output',
      'problem.yaml, line 31',
      'problem.yaml, line 36',
      'problem.yaml, line 43',
      'statement/problem.en.md, line 12',
      'statement/problem.en.md, line 16',
    ],
    hints: { 'secret/03-over': 'One metre more than a lantern lights.' },
    descriptions: { 'secret/03-over': 'Rounding down gives 1.' },
    constants: ['reach', 'reach.value'],
    programs: {
      ACCEPTED: ['accepted/divide.py', 'accepted/steps'],
      TIME_LIMIT_EXCEEDED: ['brute_force/searches.py'],
      RUNTIME_ERROR: ['other/crash_late.js'],
      WRONG_ANSWER: ['rejected/prints_words.js', 'wrong_answer/one_side', 'wrong_answer/rounds_down.py'],
    },
    files: [
      ...['lantern.png', 'notes.txt', 'problem.de.md', 'problem.en.md', 'road.svg'],
      ...['templates-default-README.txt', 'templates-python3-solution.py'],
    ],
  },
  pace: {
    title: 'Pace',
    tests: ['sample/1', 'sample/2', 'secret/1', 'secret/2', 'secret/3'],
    public: ['sample/2'],
    execution_timeout: 2,
    provisional: true,
    source: ['Rosa Läufer'],
    prompt: ['`m:ss`'],
    computedTimeLimit: [0.5, 1.5],
    programs: {
      ACCEPTED: ['accepted/fast.py', 'accepted/slow.cpp'],
      RUNTIME_ERROR: ['run_time_error/divides.py'],
      TIME_LIMIT_EXCEEDED: ['time_limit_exceeded/counts.cpp'],
      WRONG_ANSWER: ['wrong_answer/no_zero.js'],
    },
    files: ['problem.en.md', 'sample-1.in.download', 'sample-1.in.statement', 'sample-1.out'],
  },
  quarry: {
    title: 'Quarry',
    tests: [
      'sample/1',
      ...secret('group1/01 group1/02 group2/a group2/b group2/c group2/d group3/1 group3/2'),
    ],
    public: ['sample/1'],
    groups: [
      { points: 20, aggregation: 'min', cases: [2, 3] },
      { points: 50, aggregation: 'sum', cases: [4, 5, 6, 7] },
      { points: 30, aggregation: 'min', cases: [8, 9] },
    ],
    execution_timeout: 1,
    source: ['Stone Olympiad', 'Nora Stein'],
    prompt: ['heaviest', '$1 \\le k \\le n \\le 1000$'],
    promptLacks: ['\\emph', '\\problemname'],
    categories: ['sorting'],
    warnings: [
      'data/secret/group3/test_group.yaml, line 4',
      'statement/problem.en.tex, line 12',
      'statement/problem.en.tex, line 13',
    ],
    programs: {
      'ACCEPTED, 100 points': ['accepted/sorts.py'],
      'WRONG_ANSWER, 32.5 points': ['partial/first.py'],
      'WRONG_ANSWER, 87.5 points': ['partial/narrow.cpp'],
      'TIME_LIMIT_EXCEEDED, 70 points': ['partial/sleepy.py'],
      'TIME_LIMIT_EXCEEDED, 0 points': ['time_limit_exceeded/never.py'],
      'WRONG_ANSWER, 12.5 points': ['wrong_answer/lightest.js'],
    },
    files: ['problem.en.tex'],
  },
  splitpot: {
    title: 'Split the Pot',
    tests: ['sample/1', 'secret/1-small', 'secret/2-even', 'secret/3-odd'],
    public: ['sample/1'],
    validation: { type: 'custom', flags: 'max_difference 1' },
    validatorFiles: ['main_check.cpp', 'verdicts.cpp', 'verdicts.h'],
    limits: { validation_time: 10, validation_memory: 512 },
    execution_timeout: 2,
    provisional: true,
    source: ['Dora Trial'],
    prompt: ['$2 \\le n \\le 10^{12}$', 'in any order'],
    promptLacks: ['\\begin', '\\end'],
    categories: ['arithmetic', 'constructive'],
    programs: {
      ACCEPTED: ['accepted/halves.py', 'accepted/turns'],
      RUNTIME_ERROR: ['run_time_error/list.py'],
      TIME_LIMIT_EXCEEDED: ['time_limit_exceeded/count.cpp'],
      WRONG_ANSWER: ['wrong_answer/greedy.py', 'wrong_answer/words.js'],
    },
    files: ['problem.en.tex'],
  },
  tidylines: {
    title: 'Tidy Lines',
    tests: ['sample/01', 'secret/01-one', 'secret/02-case', 'secret/03-spaces'],
    public: ['sample/01'],
    validation: { type: 'default', flags: 'case_sensitive space_change_sensitive' },
    limits: { output: 2 },
    execution_timeout: 1,
    source: ['City Contest 2023', 'Hanna Prüfer'],
    prompt: ['problem.en.pdf'],
    categories: ['formatting', 'strings'],
    warnings: ['domjudge-problem.ini, line 3', 'domjudge-problem.ini, line 4'],
    programs: {
      ACCEPTED: ['accepted/split.py'],
      RUNTIME_ERROR: ['mixed/annotated.py', 'mixed/either.js', 'run_time_error/index.py'],
      WRONG_ANSWER: ['wrong_answer/lower.py', 'wrong_answer/no_newline.js'],
    },
    files: ['problem.en.pdf'],
  },
}

/** All packages. */
export const expectedPackages: readonly ExpectedPackage[] = Object.entries(byName).map(
  ([name, expected]) => ({ name, folder: join(import.meta.dirname, 'packages', name), ...expected }),
)
