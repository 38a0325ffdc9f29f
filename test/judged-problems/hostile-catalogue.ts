import { all, type JudgedProblem, type Status } from './judged-problem.ts'

const ACCEPTED = 'ACCEPTED'
const WRONG = 'WRONG_ANSWER'
const LIMITED = ['TIME_LIMIT_EXCEEDED', 'OUTPUT_LIMIT_EXCEEDED'] as const
const STATUSES = ['ACCEPTED', 'WRONG_ANSWER', 'RUNTIME_ERROR', 'INTERNAL_ERROR', ...LIMITED] as const
/** The judge is at fault. */
const FAULT = 'INTERNAL_ERROR'

const SECRET = 'SECRET-ANSWER'
const LIMITS = { output: 1, validation_time: 1, validation_memory: 64, validation_output: 1 }
const PROBLEM = { folder: 'hostile', limits: LIMITS, accept_timeout: 2, execution_timeout: 1 } as const

/** A problem whose validator is the file, with a mode for each test case. */
const validate = (file: string, modes: string, status: Status, more: Partial<JudgedProblem> = {}) => ({
  ...PROBLEM,
  title: `${file}: ${modes}`,
  validation: { type: 'custom', language: 'C', files: [file, 'mode.h'] } as const,
  tests: modes.split(' ').map((mode) => [`${mode}\n`, `${SECRET}\n`] as const),
  programs: all(status, 'echo.c'),
  hides: [SECRET, 'root:'],
  ...more,
})

type OfTalk = Partial<Record<(typeof STATUSES)[number], string>>

/** An interactive problem; `programs` are names of files by their verdict. */
const interact = (mode: string, programs: OfTalk): JudgedProblem => ({
  ...PROBLEM,
  title: `interacts.c: ${mode}`,
  validation: { type: 'interactive', language: 'C', files: ['interacts.c', 'mode.h'] },
  tests: [[`${mode}\n`, `${SECRET}\n`]],
  programs: STATUSES.flatMap((status) =>
    all(status, ...(programs[status]?.split(' ') ?? []).map((name) => `${name}.c`)),
  ),
  hides: [SECRET],
})

const TESTLIB: Partial<JudgedProblem> = {
  validation: { type: 'custom', protocol: 'testlib', language: 'C', files: ['ends.c', 'mode.h'] },
}
const POINTS: Partial<JudgedProblem> = {
  test_groups: [{ name: 'all', points: 10, aggregation: 'sum', cases: [1] }],
}
const BIG: Partial<JudgedProblem> = {
  limits: { ...LIMITS, output: 8 },
  programs: all(ACCEPTED, 'prints-megabytes.c'),
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
  ...[
    ...['rejected', 'both', 'above', 'negative', 'multiplier-above', 'word', 'two-numbers', 'empty'],
    ...['infinite', 'link', 'folder'],
  ].map((mode) => validate('scores.c', mode, FAULT, POINTS)),
]

const buildWith = (file: string, build: readonly string[], run = 'true') =>
  validate('ends.c', '42', FAULT, { validation: { type: 'custom', files: [file], build, run: [run] } })

const others = [
  // The program prints bytes that are not UTF-8, and the validator wants them.
  validate('bytes.c', 'any', ACCEPTED, { programs: all(ACCEPTED, 'prints-bytes.c') }),
  buildWith('build-fails', ['{dir}/absent']),
  validate('leaves.c', 'leaves leaves leaves', ACCEPTED),
  validate('malformed.c', 'any', FAULT),
  buildWith('build-fails', ['sh', '{dir}/build-fails']),
  buildWith('build-nothing', ['sh', '{dir}/build-nothing'], '{dir}/run'),
]

const talks = [
  interact('honest', {
    ACCEPTED: 'answers waits answers-leaves-process',
    WRONG_ANSWER: 'ends-at-once',
    RUNTIME_ERROR: 'crashes-at-once',
    TIME_LIMIT_EXCEEDED: 'sleeps spins',
  }),
  interact('accepts-at-once', {
    ACCEPTED: 'waits writes-after-the-end',
    RUNTIME_ERROR: 'crashes-at-end',
    TIME_LIMIT_EXCEEDED: 'sleeps',
    OUTPUT_LIMIT_EXCEEDED: 'ignores-sigpipe',
  }),
  interact('rejects-at-once', { WRONG_ANSWER: 'waits crashes-at-end sleeps spins ignores-sigpipe' }),
  interact('fails-at-once', { INTERNAL_ERROR: 'waits' }),
  interact('leaves-process', { ACCEPTED: 'answers' }),
  // Both wait for each other: this counts as the program's time.
  interact('never-writes', { TIME_LIMIT_EXCEEDED: 'waits' }),
  interact('never-reads', { TIME_LIMIT_EXCEEDED: 'waits writes-for-ever' }),
  interact('writes-for-ever', { TIME_LIMIT_EXCEEDED: 'sleeps', WRONG_ANSWER: 'ends-at-once' }),
  interact('writes-to-ended', { WRONG_ANSWER: 'ends-at-once' }),
  interact('ignores-sigpipe', { INTERNAL_ERROR: 'ends-at-once crashes-at-end' }),
  interact('spins', { INTERNAL_ERROR: 'ends-at-once' }),
  interact('reads-for-ever', { OUTPUT_LIMIT_EXCEEDED: 'writes-for-ever' }),
]

/** Validators and programs that misbehave; the verdict says which of them is at fault. */
export const hostileCatalogue: readonly JudgedProblem[] = [
  ...[...ends, ...floods, ...messages, ...scores, ...others, ...talks],
]
