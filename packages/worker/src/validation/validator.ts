import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { findCommandLine, type MakeCommand, mayRunAgain } from '../programs/program.ts'
import { CommandFailure, type RunCommand, type RunResult } from '../sandbox/sandbox.ts'
import type { JudgingLimits, Validation } from '../service/judging-options.ts'
import { readText } from '../shared/cut-text.ts'
import type { TestCase } from '../tests/test-set.ts'
import { hasFeedback, readFeedbackFile } from './feedback.ts'
import { readCaseFlags, splitFlags } from './flags.ts'
import { JudgeError } from './judge-error.ts'
import type { Judgement, Protocol, ValidatorResult } from './protocol.ts'
import { parseScoreFiles } from './score-files.ts'
import { limitValidatorOutput, OWN_NAMES } from './validator-program.ts'
import type { StoredValidator } from './validator-store.ts'

const { input: INPUT, answer: ANSWER, feedback: FEEDBACK } = OWN_NAMES
const MESSAGE_BYTES = 64 * 1024
const SCORE_BYTES = 1024

/**
 * A validator in a sandbox of its own, for one judging. Its files and the test case are read-only
 * for it; it may write to the feedback folder.
 */
export class Validator {
  readonly #options: ValidatorOptions
  readonly #folder: string
  readonly #makeCommand: MakeCommand
  readonly #argumentsOf: (number: number) => readonly string[]
  /** The folder's path in the worker. */
  #feedback = ''

  constructor(folder: string, makeCommand: MakeCommand, options: ValidatorOptions) {
    this.#options = options
    this.#folder = folder
    this.#makeCommand = makeCommand
    const inner = this.#options.stored.task.sandbox.innerPath(folder)
    const paths = {
      input: join(inner, INPUT),
      answer: join(inner, ANSWER),
      feedback: `${join(inner, FEEDBACK)}/`,
      output: options.validation.type === 'interactive' ? join(inner, FEEDBACK, 'output') : '/dev/stdin',
    }
    const first = options.protocol.makeArguments(paths)
    this.#argumentsOf = readCaseFlags(options.validation, (flags) => [...first, ...splitFlags(flags)])
  }

  async check(testCase: TestCase, outputFile: string): Promise<ValidatorResult> {
    const command = await this.prepare(testCase)
    const { sandbox } = this.#options.stored.task
    const request = { ...command, stdin: { file: outputFile }, signal: this.#options.signal }
    const first = await sandbox.run(request).catch((err: unknown) => {
      throw err instanceof CommandFailure ? new JudgeError(`the validator cannot run: ${err.message}`) : err
    })
    if (!mayRunAgain(this.#options.stored.task, first, command.limits)) return this.readResult(first)
    await this.#emptyFeedback()
    return this.readResult(await sandbox.run({ ...request, alone: true }))
  }

  /** A run on a test case, with an empty feedback folder, without its input. */
  async prepare({ number, inputFile, answerFile }: TestCase): Promise<RunCommand> {
    await this.#emptyFeedback()
    const fileBytes = limitValidatorOutput(this.#options.limits)
    const command = this.#makeCommand(fileBytes)
    return {
      ...command,
      argv: [...command.argv, ...this.#argumentsOf(number)],
      files: { [INPUT]: inputFile, [ANSWER]: answerFile },
      writableFolders: [FEEDBACK],
      limits: { ...command.limits, fileBytes },
    }
  }

  async #emptyFeedback(): Promise<void> {
    this.#feedback = await this.#options.stored.task.sandbox.makeSubfolder(this.#folder, FEEDBACK)
  }

  readJudgement(result: RunResult): Judgement {
    return this.#options.protocol.readJudgement(result)
  }

  /** The judgement with the files of the feedback folder. */
  async readResult(result: RunResult): Promise<ValidatorResult> {
    const judgeMessage = [await this.#read('judgemessage.txt'), readText(result.stderr, MESSAGE_BYTES)]
      .filter((text) => text?.trim())
      .join('\n')
    const teamMessage = await this.#read('teammessage.txt')
    return {
      ...(await this.#readScore(this.readJudgement(result))),
      ...(judgeMessage && { judgeMessage }),
      ...(teamMessage?.trim() && { teamMessage }),
    }
  }

  /** A score that is not valid, or of a rejected output, is a failure of the validator. */
  async #readScore(judgement: Judgement): Promise<Pick<ValidatorResult, 'judgement' | 'score'>> {
    if (judgement.kind === 'broken') return { judgement }
    const points = judgement.kind === 'accepted' ? judgement.points : undefined
    try {
      const score = parseScoreFiles({
        score: points ?? (await this.#readScoreFile('score.txt')),
        multiplier: await this.#readScoreFile('score_multiplier.txt'),
      })
      if (score && judgement.kind !== 'accepted') throw new JudgeError('it gave points for a wrong output')
      return { judgement, ...(score && { score }) }
    } catch (err) {
      if (err instanceof JudgeError) return { judgement: { kind: 'broken', reason: err.message } }
      throw err
    }
  }

  /** A file that cannot be read is not the same as none, which means all points. */
  async #readScoreFile(name: string): Promise<string | undefined> {
    const text = await this.#read(name, SCORE_BYTES)
    if (text === undefined && (await hasFeedback(this.#feedback, name)))
      throw new JudgeError(`its ${name} is not a file that can be read`)
    return text
  }

  async #read(name: string, limitBytes = MESSAGE_BYTES): Promise<string | undefined> {
    return readFeedbackFile(this.#feedback, name, limitBytes)
  }
}

export interface ValidatorOptions {
  readonly stored: StoredValidator
  readonly validation: Validation
  readonly protocol: Protocol
  readonly limits: JudgingLimits | undefined
  readonly signal: AbortSignal | undefined
}

/** Copies a compiled validator into a sandbox for `use`. Throws `SandboxFailure`, or like `use`. */
export async function withValidator<T>(
  options: ValidatorOptions,
  use: (validator: Validator) => Promise<T>,
): Promise<T> {
  return withValidatorProgram(options.stored, (makeCommand, folder) =>
    use(new Validator(folder, makeCommand, options)),
  )
}

/** The same with the command line of the validator and its folder. */
export async function withValidatorProgram<T>(
  { task, folder: storedFolder }: StoredValidator,
  use: (makeCommand: MakeCommand, folder: string) => Promise<T>,
): Promise<T> {
  const folder = await task.sandbox.createFolder()
  try {
    await cp(storedFolder, folder, { recursive: true, verbatimSymlinks: true })
    return await use(await findCommandLine(task, folder), folder)
  } finally {
    await task.sandbox.removeFolder(folder)
  }
}
