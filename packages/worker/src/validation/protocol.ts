import type { RunResult } from '../sandbox/sandbox.ts'
import type { CaseResult, CaseScore } from '../verdicts/case-result.ts'
import { JudgeError } from './judge-error.ts'

/** What a validator says about an output. `points` is the score of testlib's `quitp`. */
export type Judgement =
  | { readonly kind: 'accepted'; readonly points?: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'presentation' }
  /** The validator failed: the judge is at fault, not the program. */
  | { readonly kind: 'broken'; readonly reason: string }

/** What a validator says about one test case. */
export interface ValidatorResult {
  readonly judgement: Judgement
  readonly score?: CaseScore
  /** For judges and admins. */
  readonly judgeMessage?: string
  /** For the owner of the submission. */
  readonly teamMessage?: string
}

/** The result with what the validator says; INTERNAL_ERROR if the validator failed. */
export function applyValidator(result: CaseResult, validated: ValidatorResult): CaseResult {
  const { judgement, ...details } = validated
  if (judgement.kind !== 'broken')
    return { ...result, ...details, status: STATUS_OF_JUDGEMENT[judgement.kind] }
  const reason = `the validator failed: ${judgement.reason}`
  const judgeMessage = [reason, details.judgeMessage].filter(Boolean).join('\n')
  return { ...result, status: 'INTERNAL_ERROR', judgeMessage }
}

/** How a validator is called, and what its exit codes mean. */
export interface Protocol {
  /** The arguments, without the problem's flags. */
  readonly makeArguments: (paths: ValidatorPaths) => readonly string[]
  readonly readJudgement: (result: RunResult) => Judgement
}

/** Paths inside the validator's sandbox. */
interface ValidatorPaths {
  readonly input: string
  readonly answer: string
  /** With a slash at the end. */
  readonly feedback: string
  /** The program's output, or the file that an interactor may write. */
  readonly output: string
}

/** Exit codes of the package format's validators (2025-09, "Reporting a judgement"). */
const FORMAT: Protocol = {
  makeArguments: ({ input, answer, feedback }) => [input, answer, feedback],
  readJudgement: (result) =>
    readExitCode(result, { 42: 'accepted', 43: 'wrong' }, '; 42 means accepted and 43 wrong'),
}

/**
 * testlib's exit codes: ok, wrong answer, presentation error, failure, points. 4 (dirt: the output
 * goes on after the right answer) and 8 (its end is unexpected) are about the format, like 2.
 */
const TESTLIB: Protocol = {
  makeArguments: ({ input, answer, output }) => [input, output, answer],
  readJudgement: (result) =>
    readExitCode(result, {
      ...{ 0: 'accepted', 1: 'wrong', 7: 'points' },
      ...{ 2: 'presentation', 4: 'presentation', 8: 'presentation' },
    }),
}

const PROTOCOLS = new Map([
  ['format', FORMAT],
  ['testlib', TESTLIB],
])

/**
 * The protocol of a validation by a program; default: the protocol of the package format. Throws
 * `JudgeError` for a type or protocol that only newer workers know.
 */
export function findProtocol({
  type,
  protocol = 'format',
}: {
  readonly type: string
  readonly protocol?: string
}): Protocol {
  const isProgram = type === 'custom' || type === 'interactive'
  const found = isProgram && PROTOCOLS.get(protocol)
  if (found) return found
  const name = isProgram ? `${type} with the protocol ${protocol}` : type
  throw new JudgeError(`this judge worker does not know the validation "${name}"`)
}

/** The judgement by the meanings of exit codes; `hint` ends the message about another code. */
function readExitCode(
  result: RunResult,
  meanings: Readonly<Record<number, 'accepted' | 'wrong' | 'presentation' | 'points'>>,
  hint = '',
): Judgement {
  const reason = describeFailure(result)
  if (reason !== undefined) return { kind: 'broken', reason }
  const kind = meanings[result.exitCode ?? Number.NaN]
  if (kind === 'points') return readPoints(result)
  return kind ? { kind } : { kind: 'broken', reason: `it ended with exit code ${result.exitCode}${hint}` }
}

function describeFailure({ exceeded, signal }: RunResult): string | undefined {
  if (exceeded !== undefined) return `it exceeded its ${exceeded} limit`
  if (signal === 'SIGXFSZ') return 'it wrote a file that exceeds its output limit'
  return signal === undefined ? undefined : `it was killed by ${signal}`
}

/**
 * `quitp` writes "points", the score and a message to stderr, and ends. Earlier lines may be copies
 * of the program's output.
 */
function readPoints({ stderr }: RunResult): Judgement {
  const points = [...stderr.toString('utf8').matchAll(/^points\s+(\S+)/gm)].at(-1)?.[1]
  if (points === undefined) return { kind: 'broken', reason: 'it ended with exit code 7 but wrote no points' }
  return { kind: 'accepted', points }
}

const STATUS_OF_JUDGEMENT = {
  accepted: 'ACCEPTED',
  wrong: 'WRONG_ANSWER',
  presentation: 'PRESENTATION_ERROR',
} as const
