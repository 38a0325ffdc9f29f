import type { JudgedProblem } from './judged-problem.ts'

const ACCEPTED = 'ACCEPTED'
const WRONG = 'WRONG_ANSWER'
const CRASH = 'RUNTIME_ERROR'
const TIME = 'TIME_LIMIT_EXCEEDED'

const subtasks: JudgedProblem = {
  title: 'Subtasks',
  folder: 'programs/subtasks',
  accept_timeout: 4,
  test_groups: [
    { name: 'small', points: 20, aggregation: 'sum', cases: [2, 3, 4, 5] },
    {
      name: 'large',
      points: 80,
      aggregation: 'sum',
      groups: [
        { name: 'positive', points: 30, aggregation: 'min', cases: [6, 7] },
        {
          name: 'any',
          points: 50,
          aggregation: 'min',
          groups: [
            { name: 'odd', points: 50, aggregation: 'min', cases: [9, 8] },
            { name: 'even', points: 50, aggregation: 'sum', cases: [10, 11] },
          ],
        },
      ],
    },
  ],
  tests: Object.entries({
    '1 1\n': '2\n',
    '1\n': '1\n',
    '5 5\n': '10\n',
    '\n': '0\n',
    '2 3\n': '5\n',
    '1000 2000\n': '3000\n',
    '1000000000 1000000000\n': '2000000000\n',
    '-7 3\n': '-4\n',
    '2000000000 2000000001\n': '4000000001\n',
    '-2 4\n': '2\n',
    '2 4\n': '6\n',
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
export const points: readonly JudgedProblem[] = [
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
      { file: 'empty.c', status: WRONG, score: 0, judgeMessage: '0 of 40' },
      { file: 'wrong-all.py', status: WRONG, score: 30, judgeMessage: '80 is more than 41' },
    ],
  },
  {
    title: 'Packing by Points',
    ...packing,
    validation: { type: 'custom', flags: 'score', language: 'Python', files: ['validate.py'] },
    test_groups: [
      {
        name: 'all',
        points: 30,
        aggregation: 'sum',
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
