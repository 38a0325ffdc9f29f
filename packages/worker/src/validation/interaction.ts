import { mayRunAgain, type Task } from '../programs/program.ts'
import { limitOutput } from '../programs/program-limits.ts'
import type { Limits, PairResult, RunCommand } from '../sandbox/sandbox.ts'
import type { TestCase } from '../tests/test-set.ts'
import { type CaseResult, findFailure, makeCaseResult } from '../verdicts/case-result.ts'
import type { CaseContext } from './case-context.ts'
import { applyValidator, type Judgement, type ValidatorResult } from './protocol.ts'
import type { Validator } from './validator.ts'

const TRANSCRIPT_BYTES = 64 * 1024
const NOTHING = Buffer.alloc(0)

/** Lets a program and an interactive validator talk about one test case. */
export async function interact(
  context: CaseContext,
  validator: Validator,
  testCase: TestCase,
): Promise<CaseResult> {
  const { program, task, options } = context
  const command = program.makeCommand(limitOutput(options, testCase))
  const talk = async (alone: boolean) =>
    task.sandbox.runPair({
      program: command,
      validator: addWall(await validator.prepare(testCase), command.limits),
      transcriptBytes: TRANSCRIPT_BYTES,
      // A program that gave a wrong answer need not wait for its time limit.
      endProgram: (result) => validator.readJudgement(result).kind !== 'accepted',
      signal: task.signal,
      alone,
    })
  const first = await talk(false)
  // The program waits while the validator waits for a CPU.
  const cpuWaitMs = first.program.cpuWaitMs + first.validator.cpuWaitMs
  const lateMs = Math.max(first.program.lateMs, first.validator.lateMs)
  const waited = { ...first.program, cpuWaitMs, lateMs }
  const pair = mayRunAgain(task, waited, command.limits) ? await talk(true) : first
  const result = makeCaseResult(testCase, pair.program, 'ACCEPTED', NOTHING)
  const validated = await validator.readResult(pair.validator)
  const transcript = pair.transcript.toString('utf8') + (pair.isTranscriptCut ? '\n[cut]' : '')
  return { ...decide(result, pair, validated, context), transcript }
}

/** The validator waits for the program: it may take its own wall time after the program's. */
function addWall(command: RunCommand, { wallMs }: Limits): RunCommand {
  return { ...command, limits: { ...command.limits, wallMs: wallMs + command.limits.wallMs } }
}

/**
 * Decides who is at fault. After the validator's rejection, how the program ends does not count. A
 * program that does not read what a validator writes is wrong. If both waited for each other, the
 * program exceeded its wall limit.
 */
function decide(
  result: CaseResult,
  pair: PairResult,
  said: ValidatorResult,
  { task }: CaseContext,
): CaseResult {
  const validated = pair.validator.signal === 'SIGPIPE' ? { ...said, judgement: WRONG } : said
  const isRejectedFirst = pair.endedFirst === 'validator' && validated.judgement.kind !== 'accepted'
  const failure = isRejectedFirst ? undefined : findFailure(pair.program, task)
  if (failure === undefined) return applyValidator(result, validated)
  if (failure === 'TIME_LIMIT_EXCEEDED' && hasValidatorUsedTheTime(pair, task)) {
    const judgement = { kind: 'broken', reason: 'it used the time of the interaction' } as const
    return applyValidator(result, { ...validated, judgement })
  }
  // A program that failed has no points, also if the validator gave some.
  const { score: _, judgement, ...messages } = validated
  const failed = { ...applyValidator(result, { ...messages, judgement: WRONG }), status: failure }
  if (judgement.kind !== 'broken') return failed
  const judgeMessage = [`the validator failed too: ${judgement.reason}`, messages.judgeMessage]
  return { ...failed, judgeMessage: judgeMessage.filter(Boolean).join('\n') }
}

const WRONG: Judgement = { kind: 'wrong' }

/** True if the program reached its wall limit because the validator computed for most of it. */
function hasValidatorUsedTheTime({ program, validator }: PairResult, { limits }: Task): boolean {
  const isWithinCpuLimit = program.cpuMs < limits.cpuSeconds * 1000
  return isWithinCpuLimit && program.cpuMs < validator.cpuMs && validator.cpuMs >= program.wallMs / 2
}
