import { findLanguage, type Language } from '@judge-data-layer/languages'
import type { Task } from '../programs/program.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { JudgingLimits, ValidatorProgram } from '../service/judging-options.ts'
import { type CompileSettings, MIB } from '../shared/worker-settings.ts'
import { JudgeError } from './judge-error.ts'

export interface ValidatorSetup {
  readonly sandbox: Sandbox
  readonly languages: readonly Language[]
  readonly compile: CompileSettings
}

/** Limits of a validator that the problem does not set. */
const DEFAULTS = { validation_time: 60, validation_memory: 2048, validation_output: 8 }

const OWN_PREFIX = '.judging-'

/** Names that the worker itself uses in a validator's folder. */
export const OWN_NAMES = {
  input: `${OWN_PREFIX}input`,
  answer: `${OWN_PREFIX}answer`,
  feedback: `${OWN_PREFIX}feedback`,
} as const

/** True for names that the validator's own files cannot have. */
export function isOwnName(name: string): boolean {
  return name.startsWith(OWN_PREFIX)
}

/** The task of compiling and running a problem's validator. Throws `JudgeError`. */
export function makeValidatorTask(
  setup: ValidatorSetup,
  validation: ValidatorProgram,
  limits: JudgingLimits | undefined,
  signal: AbortSignal,
): Task {
  const [program, ...extraFiles] = validation.files ?? []
  if (program === undefined) throw new JudgeError('the validator has no files')
  const language = findValidatorLanguage(setup.languages, validation, program.name)
  if (extraFiles.some(({ name }) => name === language.sourceFile))
    throw new JudgeError(
      `the validator's first file gets the name "${language.sourceFile}": rename the other`,
    )
  checkNames([language.sourceFile, ...extraFiles.map(({ name }) => name)])
  const { validation_time: cpuSeconds, validation_memory: memoryMib } = { ...DEFAULTS, ...limits }
  return {
    sandbox: setup.sandbox,
    language,
    sourceCode: program.content,
    extraFiles,
    limits: { cpuSeconds, wallSeconds: 2 * cpuSeconds + 1, memoryMib },
    compile: setup.compile,
    compileLimits: makeCompileLimits(limits),
    // A validator belongs to its problem: no author's budget pays for its reruns.
    takeRerun: () => true,
    signal,
  }
}

/** Throws `JudgeError` for names of files that exclude each other or are the worker's. */
function checkNames(names: readonly string[]): void {
  for (const [place, name] of names.entries()) {
    if (isOwnName(name)) throw new JudgeError(`the validator's files must not have names such as "${name}"`)
    const other = names.find((found, at) => at !== place && (found === name || found.startsWith(`${name}/`)))
    if (other !== undefined)
      throw new JudgeError(`the validator's files "${name}" and "${other}" exclude each other`)
  }
}

/** The limit of stdout, of stderr and of each feedback file. */
export function limitValidatorOutput(limits: JudgingLimits | undefined): number {
  return { ...DEFAULTS, ...limits }.validation_output * MIB
}

/** The compile limits that a problem sets for submissions and validators. */
export function makeCompileLimits(limits: JudgingLimits | undefined): Partial<CompileSettings> {
  const { compilation_time: cpuSeconds, compilation_memory: memoryMib } = limits ?? {}
  return {
    ...(cpuSeconds !== undefined && { cpuSeconds, wallSeconds: 2 * cpuSeconds + 1 }),
    ...(memoryMib !== undefined && { memoryMib }),
  }
}

/** A validator with commands of its own counts as the only program of a language. */
function findValidatorLanguage(
  languages: readonly Language[],
  { language: name, build, run }: ValidatorProgram,
  sourceFile: string,
): Language {
  if (name !== undefined) {
    const language = findLanguage(languages, name)
    if (language) return language
    throw new JudgeError(
      `the validator's language "${name}" is not in the language file of this judge worker`,
    )
  }
  return {
    ...{ name: 'The validator', version: '', aliases: [], extensions: [''], sourceFile },
    ...{ environment: {}, locks: false, memoryOverheadMib: 0, compileLimits: {}, timeMultiplier: 1 },
    run: toCommand(run),
    ...(build && { compile: toCommand(build) }),
  }
}

function toCommand(words: readonly string[] | undefined): [string, ...string[]] {
  const [command, ...args] = words ?? []
  if (command === undefined) throw new JudgeError('the validator has neither a language nor a command to run')
  return [command, ...args]
}
