import type { JudgedProblem, JudgedProgram, Status } from './judged-problem.ts'

const ACCEPTED = 'ACCEPTED'
const WRONG = 'WRONG_ANSWER'
const TIME = 'TIME_LIMIT_EXCEEDED'
const OUTPUT = 'OUTPUT_LIMIT_EXCEEDED'
/** The judge is at fault. */
const FAULT = 'INTERNAL_ERROR'

const SECRET = 'SECRET-ANSWER'
const LIMITS = { output: 1, validation_time: 1, validation_memory: 64, validation_output: 1 }
const PROBLEM = { folder: 'hostile', limits: LIMITS, accept_timeout: 2, execution_timeout: 1 } as const

/** A problem whose validator is the file, with a mode for each test case. */
function validate(
  file: string,
  modes: string,
  status: Status,
  more: Partial<JudgedProblem> = {},
): JudgedProblem {
  return {
    ...PROBLEM,
    title: `${file}: ${modes}`,
    validation: { type: 'custom', language: 'C', files: [file, 'mode.h'] },
    tests: modes.split(' ').map((mode) => [`${mode}\n`, `${SECRET}\n`] as const),
    programs: [{ file: 'echo.c', status }],
    hides: [SECRET, 'root:'],
    ...more,
  }
}

/** An interactive problem; `programs` have the expected verdict of each program. */
function interact(mode: string, programs: Readonly<Record<string, Status>>): JudgedProblem {
  const listed = Object.entries(programs).map(([file, status]): JudgedProgram => ({ file, status }))
  return {
    ...PROBLEM,
    title: `interacts.c: ${mode}`,
    validation: { type: 'interactive', language: 'C', files: ['interacts.c', 'mode.h'] },
    tests: [[`${mode}\n`, `${SECRET}\n`]],
    programs: listed,
    hides: [SECRET],
  }
}

const TESTLIB: Partial<JudgedProblem> = {
  validation: { type: 'custom', protocol: 'testlib', language: 'C', files: ['ends.c', 'mode.h'] },
}
const POINTS: Partial<JudgedProblem> = {
  test_groups: [{ name: 'all', points: 10, aggregation: 'sum', cases: [1] }],
}
const BIG: Partial<JudgedProblem> = {
  limits: { ...LIMITS, output: 8 },
  programs: [{ file: 'prints-megabytes.c', status: ACCEPTED }],
}

const ends = [
  validate('ends.c', '42', ACCEPTED),
  validate('ends.c', '43', WRONG),
  ...['0', '1', '41', '44', '255', 'abort', 'spin', 'sleep', 'stop', 'memory'].map((mode) =>
    validate('ends.c', mode, FAULT),
  ),
  // It does not read the program's output.
  validate('ends.c', '42 42', ACCEPTED, BIG),
  validate('ends.c', '0', ACCEPTED, TESTLIB),
  validate('ends.c', '1', WRONG, TESTLIB),
  validate('ends.c', '2', 'PRESENTATION_ERROR', TESTLIB),
  validate('ends.c', '3', FAULT, TESTLIB),
  validate('ends.c', '42', FAULT, TESTLIB),
]

const floods = ['stdout', 'stderr', 'file', 'files'].map((mode) => validate('floods.c', mode, FAULT))

const messages = [
  ...['link-answer', 'link-passwd', 'link-process', 'link-above', 'link-itself'],
  ...['fifo', 'folder', 'closed', 'sparse', 'binary'],
].map((mode) => validate('messages.c', mode, WRONG))

const scores = [
  // The problem has no groups, so that no test case has a score.
  validate('scores.c', 'score', FAULT),
  validate('scores.c', 'score', WRONG, {
    ...POINTS,
    programs: [{ file: 'echo.c', status: WRONG, score: 1 }],
  }),
  ...['rejected', 'both', 'above', 'negative', 'multiplier-above', 'word', 'two-numbers', 'empty'].map(
    (mode) => validate('scores.c', mode, FAULT, POINTS),
  ),
  ...['infinite', 'link', 'folder'].map((mode) => validate('scores.c', mode, FAULT, POINTS)),
]

const others = [
  // The program prints bytes that are not UTF-8, and the validator wants them.
  validate('bytes.c', 'any', ACCEPTED, { programs: [{ file: 'prints-bytes.c', status: ACCEPTED }] }),
  validate('ends.c', '42', FAULT, {
    validation: { type: 'custom', files: ['build-fails'], build: ['{dir}/absent'], run: ['true'] },
  }),
  validate('leaves.c', 'leaves leaves leaves', ACCEPTED),
  validate('malformed.c', 'any', FAULT),
  validate('ends.c', '42', FAULT, {
    validation: { type: 'custom', files: ['build-fails'], build: ['sh', '{dir}/build-fails'], run: ['true'] },
  }),
  validate('ends.c', '42', FAULT, {
    validation: {
      type: 'custom',
      files: ['build-nothing'],
      build: ['sh', '{dir}/build-nothing'],
      run: ['{dir}/run'],
    },
  }),
]

const talks = [
  interact('honest', {
    'answers.c': ACCEPTED,
    'waits.c': ACCEPTED,
    'answers-leaves-process.c': ACCEPTED,
    'ends-at-once.c': WRONG,
    'crashes-at-once.c': 'RUNTIME_ERROR',
    'sleeps.c': TIME,
    'spins.c': TIME,
  }),
  interact('accepts-at-once', {
    'waits.c': ACCEPTED,
    'crashes-at-end.c': 'RUNTIME_ERROR',
    'sleeps.c': TIME,
    'ignores-sigpipe.c': OUTPUT,
    'writes-after-the-end.c': ACCEPTED,
  }),
  interact('rejects-at-once', {
    'waits.c': WRONG,
    'crashes-at-end.c': WRONG,
    'sleeps.c': WRONG,
    'spins.c': WRONG,
    'ignores-sigpipe.c': WRONG,
  }),
  interact('fails-at-once', { 'waits.c': FAULT }),
  interact('leaves-process', { 'answers.c': ACCEPTED }),
  // Both wait for each other: this counts as the program's time.
  interact('never-writes', { 'waits.c': TIME }),
  interact('never-reads', { 'waits.c': TIME, 'writes-for-ever.c': TIME }),
  interact('writes-for-ever', { 'sleeps.c': TIME, 'ends-at-once.c': WRONG }),
  interact('writes-to-ended', { 'ends-at-once.c': WRONG }),
  interact('ignores-sigpipe', { 'ends-at-once.c': FAULT, 'crashes-at-end.c': FAULT }),
  interact('spins', { 'ends-at-once.c': FAULT }),
  interact('reads-for-ever', { 'writes-for-ever.c': OUTPUT }),
]

/** Validators and programs that misbehave; the verdict says which of them is at fault. */
export const hostileCatalogue: readonly JudgedProblem[] = [
  ...ends,
  ...floods,
  ...messages,
  ...scores,
  ...others,
  ...talks,
]
