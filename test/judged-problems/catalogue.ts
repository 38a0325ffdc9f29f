import { all, type JudgedProblem } from './judged-problem.ts'

const ACCEPTED = 'ACCEPTED'
const WRONG = 'WRONG_ANSWER'
const MALFORMED = 'PRESENTATION_ERROR'
const CRASH = 'RUNTIME_ERROR'
const TIME = 'TIME_LIMIT_EXCEEDED'
const OUTPUT = 'OUTPUT_LIMIT_EXCEEDED'

/** Seconds of wall-clock time for programs that sleep; enough for the others on a busy machine. */
const ASLEEP = { accept_timeout: 4 }
const TESTLIB = { protocol: 'testlib', language: 'C++' } as const
const BUSY = { accept_timeout: 10, execution_timeout: 1 }

const tolerances: JudgedProblem[] = [
  {
    title: 'Slopes',
    folder: 'programs/slopes',
    ...BUSY,
    validation: { type: 'default', flags: 'float_tolerance 1e-6' },
    tests: Object.entries({
      '1\n-1 2\n': '-0.5\n',
      '3\n1 3\n-2 7\n1000000 3\n': '0.33333333333\n-2.857142857e-1\n333333.3333333\n',
    }),
    programs: [
      ...all(ACCEPTED, 'right.cpp', 'right-exponents.py'),
      ...all(WRONG, 'wrong-rounded.py', 'wrong-extra-number.py', 'wrong-nan.py', '../empty.c'),
      { file: 'crash-on-second.py', status: CRASH },
      { file: 'endless.c', status: TIME },
    ],
  },
  {
    title: 'Receipt',
    folder: 'programs/receipt',
    validation: {
      type: 'default',
      flags: 'case_sensitive space_change_sensitive float_absolute_tolerance 0.01',
    },
    tests: Object.entries({
      'Milk 1 109\n': 'Milk  1.09\n',
      'Bread 2 250\nSalt 10 99\n': 'Bread  5.00\nSalt  9.90\n',
    }),
    programs: [
      ...all(ACCEPTED, 'right.cpp', 'right-digits.py'),
      ...all(WRONG, 'wrong-one-space.py', 'wrong-case.py', 'wrong-price.py', 'wrong-last-line.py'),
    ],
  },
]

const validators: JudgedProblem[] = [
  {
    title: 'Four Squares',
    folder: 'programs/squares',
    ...ASLEEP,
    validation: { type: 'custom', language: 'C++', files: ['validate.cpp'] },
    limits: { output: 1, validation_time: 5, compilation_time: 30 },
    tests: Object.entries({ '4\n': 'any four squares\n', '310\n': 'any four squares\n' }),
    programs: [
      { file: 'right.cpp', status: ACCEPTED },
      {
        ...{ file: 'wrong-three.py', status: WRONG, judgeMessage: 'the sum is 289, not 310' },
        teamMessage: 'Four squares were expected.',
      },
      { file: 'wrong-words.js', status: WRONG, judgeMessage: 'number 1 is missing' },
      { file: 'crash.py', status: CRASH },
      { file: 'loud.c', status: OUTPUT },
      { file: '../asleep.py', status: TIME },
    ],
  },
  {
    title: 'Apart',
    folder: 'programs/apart',
    validation: {
      type: 'custom',
      flags: 'distance 2',
      files: ['build', 'validate.py', 'rules.py'],
      build: ['sh', '{dir}/build'],
      run: ['{dir}/run'],
    },
    tests: Object.entries({ 'abc\n': 'cab\n', 'aab\n': 'aba\n', 'zzzz\n': 'impossible\n' }),
    programs: [
      { file: 'right.cpp', status: ACCEPTED },
      { file: 'wrong-sorted.py', status: WRONG, judgeMessage: 'the letters a at place 1 are too near' },
      { file: 'wrong-impossible.js', status: WRONG, judgeMessage: "'impossible' instead of 'cab'" },
      { file: 'crash.c', status: CRASH },
    ],
  },
]

const talks: JudgedProblem[] = [
  {
    title: 'Hidden Row',
    folder: 'programs/hidden-row',
    accept_timeout: 4,
    execution_timeout: 1,
    validation: { type: 'interactive', language: 'C++', files: ['interact.cpp'] },
    tests: Object.entries({
      '3\n': '0 0 0\n',
      '40\n': `${Array.from({ length: 40 }, (_, i) => 7 * i * i - 100 * i).join(' ')}\n`,
    }),
    programs: [
      ...all(ACCEPTED, 'right.cpp', 'right-spaces.py', 'right.js'),
      { file: 'wrong-zeros.py', status: WRONG, judgeMessage: 'number 2 is wrong' },
      { file: 'wrong-silent-end.py', status: WRONG, judgeMessage: 'ended without an answer' },
      { file: 'wrong-then-crash.py', status: WRONG, judgeMessage: 'this is no part of the row' },
      { file: 'crash.py', status: CRASH },
      ...all(TIME, 'unflushed.c', 'endless.c'),
    ],
  },
]

const testlib: JudgedProblem[] = [
  {
    title: 'Prime Sum',
    folder: 'programs/prime-sum',
    validation: { type: 'custom', ...TESTLIB, files: ['check.cpp', 'testlib.h'] },
    tests: Object.entries({ '4\n': '2 2\n', '100\n': '3 97\n' }),
    programs: [
      { file: 'right.cpp', status: ACCEPTED, judgeMessage: '3 and 97' },
      { file: 'wrong-halves.py', status: WRONG, judgeMessage: '50 is no prime' },
      { file: 'wrong-bounds.py', status: WRONG, judgeMessage: 'not between 2 and 4' },
      { file: 'malformed-words.py', status: MALFORMED, judgeMessage: "found 'two'" },
      { file: 'malformed-extra.py', status: MALFORMED, judgeMessage: 'extra information' },
      { file: 'malformed-empty.c', status: MALFORMED, judgeMessage: 'unexpected end of file' },
      { file: 'crash.py', status: CRASH },
    ],
  },
  {
    title: 'Steps',
    folder: 'programs/steps',
    ...ASLEEP,
    validation: { type: 'interactive', ...TESTLIB, files: ['interact.cpp', 'testlib.h'] },
    tests: Object.entries({ '3 3\n': '3\n', '1000 10\n': '618\n' }),
    programs: [
      { file: 'right.cpp', status: ACCEPTED, judgeMessage: 'found with' },
      { file: 'wrong-upwards.py', status: WRONG, judgeMessage: 'not found with 10 guesses' },
      { file: 'wrong-zero.py', status: WRONG, judgeMessage: 'not between 1 and 3' },
      { file: 'malformed-word.py', status: MALFORMED, judgeMessage: "found 'middle'" },
      { file: 'crash.py', status: CRASH },
      { file: '../asleep.py', status: TIME },
    ],
  },
]

const subtasks: JudgedProblem = {
  title: 'Subtasks',
  folder: 'programs/subtasks',
  accept_timeout: 4,
  test_groups: [
    { name: 'small', points: 20, aggregation: 'sum', cases: [2, 3, 4, 5] },
    {
      ...{ name: 'large', points: 80, aggregation: 'sum' },
      groups: [
        { name: 'positive', points: 30, aggregation: 'min', cases: [6, 7] },
        {
          ...{ name: 'any', points: 50, aggregation: 'min' },
          groups: [
            { name: 'odd', points: 50, aggregation: 'min', cases: [9, 8] },
            { name: 'even', points: 50, aggregation: 'sum', cases: [10, 11] },
          ],
        },
      ],
    },
  ],
  tests: Object.entries({
    ...{
      '1 1\n': '2\n',
      '1\n': '1\n',
      '5 5\n': '10\n',
      '\n': '0\n',
      '2 3\n': '5\n',
      '1000 2000\n': '3000\n',
    },
    ...{ '1000000000 1000000000\n': '2000000000\n', '-7 3\n': '-4\n' },
    ...{ '2000000000 2000000001\n': '4000000001\n', '-2 4\n': '2\n', '2 4\n': '6\n' },
  }),
  programs: [
    { file: 'right.cpp', status: ACCEPTED, score: 100 },
    { file: 'right.py', status: ACCEPTED, score: 100 },
    { file: 'partial-32-bits.c', status: WRONG, score: 50 },
    { file: 'partial-positive.py', status: WRONG, score: 50 },
    { file: 'partial-asleep.py', status: TIME, score: 95 },
    { file: 'partial-crash.py', status: CRASH, score: 95 },
    // All points, but not accepted.
    { file: 'sample-fails.py', status: WRONG, score: 100 },
    { file: 'wrong-zero.py', status: WRONG, score: 5 },
    { file: 'malformed.cpp', status: 'COMPILE_TIME_ERROR' },
  ],
}

/** Three test cases; the best sums are 10, 8 and 40. */
const packing: Pick<JudgedProblem, 'folder' | 'tests'> = {
  folder: 'programs/packing',
  tests: Object.entries({ '10 4 6 7\n': '10\n', '8 2 1 5\n': '8\n', '41 10 20 20 30\n': '40\n' }),
}

/** Problems with test groups. */
const points: readonly JudgedProblem[] = [
  subtasks,
  {
    title: 'Packing',
    ...packing,
    validation: { type: 'custom', flags: 'multiplier', language: 'Python', files: ['validate.py'] },
    test_groups: [
      { name: 'first', points: 60, aggregation: 'sum', cases: [1, 2] },
      { name: 'last', points: 40, aggregation: 'min', cases: [3] },
    ],
    programs: [
      { file: 'right.py', status: ACCEPTED, score: 100, judgeMessage: '40 of 40' },
      { file: 'right.cpp', status: ACCEPTED, score: 100 },
      // 7/10 and 5/8 of 30 points, 30/40 of 40 points.
      { file: 'partial-largest.py', status: WRONG, score: 69.75, judgeMessage: '30 of 40' },
      { file: '../empty.c', status: WRONG, score: 0, judgeMessage: '0 of 40' },
      { file: 'wrong-all.py', status: WRONG, score: 30, judgeMessage: '80 is more than 41' },
    ],
  },
  {
    title: 'Packing by Points',
    ...packing,
    validation: { type: 'custom', flags: 'score', language: 'Python', files: ['validate.py'] },
    test_groups: [
      {
        ...{ name: 'all', points: 30, aggregation: 'sum' },
        groups: [
          { name: 'first', points: 20, aggregation: 'sum', cases: [1, 3] },
          { name: 'last', points: 10, aggregation: 'min', cases: [2] },
        ],
      },
    ],
    programs: [
      { file: 'right.py', status: ACCEPTED, score: 30 },
      { file: 'partial-largest.py', status: WRONG, score: 20 },
      { file: 'wrong-all.py', status: WRONG, score: 10 },
    ],
  },
  {
    title: 'Packing with testlib',
    ...packing,
    validation: { type: 'custom', protocol: 'testlib', language: 'C++', files: ['check.cpp', 'testlib.h'] },
    test_groups: [{ name: 'all', points: 30, aggregation: 'sum', cases: [1, 2, 3] }],
    programs: [
      { file: 'right.cpp', status: ACCEPTED, score: 30, judgeMessage: '40 of 40' },
      { file: 'partial-largest.py', status: WRONG, score: 20, judgeMessage: '30 of 40' },
      { file: 'wrong-all.py', status: WRONG, score: 10, judgeMessage: '80 is more than 41' },
    ],
  },
]

/** All problems. Every program must get its verdict each time. */
export const catalogue: readonly JudgedProblem[] = [
  ...[...tolerances, ...validators, ...talks, ...testlib, ...points],
]
