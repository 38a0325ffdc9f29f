import type { Schemas } from '@judge-data-layer/client'
import { findLanguage, type Language } from '@judge-data-layer/languages'
import { type JudgeTools, judgeRun, judgeSubmission } from '../judging/judge.ts'
import type { RerunBudget } from '../judging/rerun-budget.ts'
import type { Task } from '../programs/program.ts'
import { makeProgramLimits } from '../programs/program-limits.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { ServiceError, WorkerTooOldError } from '../service/service-error.ts'
import type { Logger } from '../shared/logger.ts'
import type { CompileSettings, WorkerSettings } from '../shared/worker-settings.ts'
import type { TestCache } from '../tests/test-cache.ts'
import type { TestSet } from '../tests/test-set.ts'
import { validateTests } from '../validation/validate-tests.ts'
import {
  makeRunFault,
  makeVerdictWithoutTests,
  stripVerdict,
  type Verdict,
  withKnownStatus,
} from '../verdicts/verdict.ts'
import { renewJudging, startHeartbeat } from './heartbeat.ts'
import type { JudgeApi, Judged, Submission } from './judge-api.ts'
import type { Message, MessageHandler } from './message-source.ts'

export interface HandlerContext {
  readonly api: JudgeApi
  readonly tests: TestCache
  readonly sandbox: Sandbox
  readonly languages: readonly Language[]
  readonly compile: CompileSettings
  readonly verdicts: WorkerSettings['verdicts']
  readonly reruns: RerunBudget
  readonly tools: JudgeTools
  readonly logger: Logger
  readonly onJudged?: (type: Message['type'], outcome: string, seconds: number) => void
  /** Ends running programs; their messages come back. */
  readonly signal: AbortSignal
}

const PENDING = 'PENDING'
const ROUNDS = 3
const FAULTS = 3
const REMEMBERED_FAULTS = 1000
const FAULT_TEXT = 'The judge failed to run this program. This is not the fault of the program.'
const RUN_LIMITS = makeProgramLimits({ accept_timeout: 10, execution_timeout: 5, memory_limit: 256 })
// The service does not tell judges who started a custom-input run: all runs share one budget.
const RUN_OWNER = 'custom-input runs'

/** A later judging has begun, or the submission was deleted. */
class JudgingEnded extends Error {}

/**
 * Makes the handler that judges a submission or run and writes the verdict. It rejects if the
 * service or the worker fails. The worker's third failure on the same record is INTERNAL_ERROR.
 */
export function createMessageHandler(ctx: HandlerContext): MessageHandler {
  const faults = new Map<string, number>()
  const tooOldFor = new Set<number | string>()
  return async (message) => {
    const startedAt = performance.now()
    try {
      const outcome =
        message.type === 'submission'
          ? await handleSubmission(ctx, message.id, tooOldFor)
          : await handleRun(ctx, message.id)
      const ms = performance.now() - startedAt
      ctx.onJudged?.(message.type, outcome, ms / 1000)
      const fields = { ...message, outcome, ms: Math.round(ms) }
      if (outcome === 'refused' || outcome === 'too large')
        ctx.logger.error(fields, 'the service refuses the verdict')
      else ctx.logger.info(fields, 'judged')
    } catch (err) {
      if (err instanceof ServiceError || ctx.signal.aborted) throw err
      const count = countFault(faults, message.id)
      ctx.logger.error({ ...message, err, count }, 'the worker failed to judge')
      if (count < FAULTS) throw err
      await writeFault(ctx, message)
      ctx.onJudged?.(message.type, 'INTERNAL_ERROR', (performance.now() - startedAt) / 1000)
    }
    faults.delete(message.id)
  }
}

async function handleSubmission(
  ctx: HandlerContext,
  id: string,
  tooOldFor: Set<number | string>,
): Promise<string> {
  let judging: number | undefined
  for (let round = 1; round <= ROUNDS; round += 1) {
    const submission = await ctx.api.readSubmission(id).catch((err: unknown) => {
      // The record itself can need a newer worker; its message names what is missing.
      if (err instanceof WorkerTooOldError) reportTooOld(ctx, err.message, tooOldFor, err)
      throw err
    })
    if (!submission) return 'missing'
    if (submission.status !== PENDING) return 'not pending'
    judging = submission.judging
    const outcome = await judgeWithHeartbeat(ctx, { ...submission, id }).catch(async (err: unknown) => {
      if (err instanceof WorkerTooOldError) {
        reportTooOld(ctx, submission.problem_id, tooOldFor, err)
        // The message goes back to the queue: the service need not queue the submission again.
        if (judging !== undefined) await renewJudging({ ...ctx, id, judging })
      }
      throw err
    })
    if (outcome !== 'refused') return outcome
    // The problem's test cases were replaced: judge with the new ones.
  }
  const fault = makeVerdictWithoutTests('INTERNAL_ERROR', 'The test cases changed during every judging.')
  return writeVerdict(ctx, { id, judging }, fault)
}

/** Judges and writes the verdict, unless a heartbeat finds that it is no longer wanted. */
async function judgeWithHeartbeat(ctx: HandlerContext, submission: Submission): Promise<string> {
  const { api, logger } = ctx
  const { id, judging, requeue_after: requeueAfterSeconds } = submission
  const ending = new AbortController()
  const follow = () => ending.abort(ctx.signal.reason)
  ctx.signal.addEventListener('abort', follow)
  if (ctx.signal.aborted) follow()
  const onEnd = () => ending.abort(new JudgingEnded('the verdict is no longer wanted'))
  const stopHeartbeat =
    judging === undefined || requeueAfterSeconds === undefined
      ? () => {}
      : startHeartbeat({ api, id, judging, requeueAfterSeconds, logger, onEnd })
  try {
    const verdict = await makeVerdict({ ...ctx, signal: ending.signal }, submission)
    const outcome = await writeVerdict(ctx, { id, judging }, verdict)
    return outcome === 'stored' ? verdict.status : outcome
  } catch (err) {
    if (err instanceof JudgingEnded) return 'no longer wanted'
    throw err
  } finally {
    stopHeartbeat()
    ctx.signal.removeEventListener('abort', follow)
  }
}

/** Logs once for each problem, or for each reason if the problem is not known. */
function reportTooOld(
  { logger }: HandlerContext,
  subject: number | string,
  known: Set<number | string>,
  err: Error,
): void {
  if (known.has(subject)) return
  known.add(subject)
  const fields = typeof subject === 'number' ? { problemId: subject, err } : { err }
  logger.error(fields, 'this worker is too old for a problem: update it')
}

async function makeVerdict(ctx: HandlerContext, submission: Submission): Promise<Verdict> {
  const { run, validator } = submission
  const judgeTests = validator
    ? (tests: TestSet) => validateTests({ ...ctx.tools, validator, signal: ctx.signal }, tests)
    : makeSubmissionJudge(ctx, submission)
  if (!judgeTests) return makeVerdictWithoutTests('INTERNAL_ERROR', unknownLanguage(submission.language))
  return ctx.tests.withTests(submission.problem_id, async (tests) =>
    tests === undefined || tests.size === 0
      ? makeVerdictWithoutTests('INTERNAL_ERROR', 'The problem has no test cases.')
      : judgeTests(run ? { ...tests, options: { ...tests.options, run } } : tests),
  )
}

/** Undefined for an unknown language. */
function makeSubmissionJudge(ctx: HandlerContext, submission: Submission) {
  const { user_id, source_code: sourceCode, program, problem } = submission
  const language = findLanguage(ctx.languages, submission.language.name)
  if (!language) return undefined
  const sources = program ? takeFiles(program, language) : { language, sourceCode }
  const task = { ...makeTask(ctx, user_id), ...sources, limits: makeProgramLimits(problem) }
  return (tests: TestSet) => judgeSubmission(task, tests, ctx.tools)
}

/** The part of a task with a program of several files: the language's commands get their names. */
export function takeFiles(
  severalFiles: Schemas['ProgramFiles'],
  language: Language,
): Pick<Task, 'language' | 'sourceCode' | 'extraFiles' | 'severalFiles'> {
  const { files, sources } = severalFiles
  const entry = files.find((file) => file.name === sources[0])
  if (entry === undefined) throw new Error('the record does not have the file that starts the program')
  return {
    language: { ...language, sourceFile: entry.name },
    sourceCode: entry.content,
    extraFiles: files.filter((file) => file !== entry),
    severalFiles,
  }
}

function makeTask({ sandbox, compile, reruns, signal }: HandlerContext, userId: string) {
  return { sandbox, compile, signal, takeRerun: (seconds: number) => reruns.take(userId, seconds) }
}

async function writeVerdict(ctx: HandlerContext, submission: Judged, judged: Verdict) {
  const verdict = ctx.verdicts === 'all' ? judged : withKnownStatus(judged)
  const outcome = await ctx.api.writeVerdict(submission, verdict)
  return outcome === 'too large' ? ctx.api.writeVerdict(submission, stripVerdict(verdict)) : outcome
}

async function handleRun(ctx: HandlerContext, id: string): Promise<string> {
  const run = await ctx.api.readRun(id)
  if (!run) return 'missing'
  if (run.status !== PENDING) return 'not pending'
  const judged = { id, judging: run.judging }
  const language = findLanguage(ctx.languages, run.language.name)
  if (!language) {
    const verdict = makeRunFault('INTERNAL_ERROR', unknownLanguage(run.language))
    return `${verdict.status}: ${await ctx.api.writeRunVerdict(judged, verdict)}`
  }
  const task = { ...makeTask(ctx, RUN_OWNER), language, sourceCode: run.source_code, limits: RUN_LIMITS }
  const verdict = await judgeRun(task, run.stdin)
  const outcome = await ctx.api.writeRunVerdict(judged, verdict)
  if (outcome === 'stored') return verdict.status
  if (outcome === 'gone') return outcome
  return ctx.api.writeRunVerdict(judged, { ...verdict, stdout: '', stderr: '[too large to be stored]' })
}

async function writeFault({ api }: HandlerContext, { type, id }: Message): Promise<void> {
  const subject = type === 'submission' ? await api.readSubmission(id) : await api.readRun(id)
  if (subject?.status !== PENDING) return
  const judged = { id, judging: subject.judging }
  if (type === 'submission')
    await api.writeVerdict(judged, makeVerdictWithoutTests('INTERNAL_ERROR', FAULT_TEXT))
  else await api.writeRunVerdict(judged, makeRunFault('INTERNAL_ERROR', FAULT_TEXT))
}

function unknownLanguage({ name }: Submission['language']): string {
  return `The language "${name}" is not in the language file of this judge worker.`
}

function countFault(faults: Map<string, number>, id: string): number {
  const count = (faults.get(id) ?? 0) + 1
  faults.set(id, count)
  const oldest = faults.keys().next().value
  if (faults.size > REMEMBERED_FAULTS && oldest !== undefined) faults.delete(oldest)
  return count
}
