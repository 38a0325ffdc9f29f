import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Language } from '@judge-data-layer/languages'
import { findMainClass } from './main-class.ts'
import type { Limits, RunRequest, RunResult, Sandbox } from './sandbox/sandbox.ts'
import { readText } from './verdict.ts'
import { type CompileSettings, DEFAULT_SETTINGS, MIB } from './worker-settings.ts'

export interface ProgramLimits {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  /** `memory_limit` of the problem. */
  readonly memoryMib: number
}

export interface Task {
  readonly sandbox: Sandbox
  readonly language: Language
  readonly sourceCode: string
  readonly limits: ProgramLimits
  /** Used unless the language has its own limits; default: the worker's settings. */
  readonly compile?: CompileSettings
  /** Takes a rerun from the author's budget; false if there is too little left. */
  readonly takeRerun?: (wallSeconds: number) => boolean
  readonly signal?: AbortSignal | undefined
}

/** Runs a compiled program once. */
export type Program = (stdin: string, outputBytes: number) => Promise<RunResult>

const COMPILE_OUTPUT_BYTES = MIB
const PROCESSES = 128
const RUN_FILE_BYTES = 64 * MIB
const MESSAGES_BYTES = 64 * 1024
const MAIN_CLASS = '{main_class}'
// Shorter waits happen on every machine.
const SHARE_OF_WALL_WAITED = 0.1

/**
 * The limits for a problem's programs (D17), in seconds and MiB. The CPU limit is the smaller
 * timeout. On a busy machine, too, only programs that sleep should reach the wall limit.
 */
export function makeProgramLimits(problem: {
  readonly accept_timeout: number
  readonly execution_timeout: number
  readonly memory_limit: number
}): ProgramLimits {
  const cpuSeconds = Math.min(problem.accept_timeout, problem.execution_timeout)
  const wallSeconds = Math.max(problem.accept_timeout, 2 * cpuSeconds + 1)
  return { cpuSeconds, wallSeconds, memoryMib: problem.memory_limit }
}

/** The compiler failed; the message has its output. */
export class CompileError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CompileError'
  }
}

/** A command of the language is missing. */
export class LanguageNotInstalled extends Error {
  constructor(language: Language, command: string) {
    super(
      `${language.name} ${language.version} is not installed on this judge worker: "${command}" was not found`,
    )
    this.name = 'LanguageNotInstalled'
  }
}

/**
 * Compiles or checks a task's program, lets `use` run it, and removes it. Throws `CompileError`,
 * `LanguageNotInstalled`, `SandboxFailure`, or the signal's reason.
 */
export async function withProgram<T>(task: Task, use: (program: Program) => Promise<T>): Promise<T> {
  const missing = findMissingCommand(task.language, task.sandbox)
  if (missing !== undefined) throw new LanguageNotInstalled(task.language, missing)
  const folder = await task.sandbox.createFolder()
  try {
    await writeFile(join(folder, task.language.sourceFile), task.sourceCode)
    await compile(task, folder)
    const argv = fillIn(await nameMainClass(task.language.run, folder), task, folder)
    return await use((stdin, outputBytes) =>
      runInTime(task, { argv, folder, writable: false, stdin, limits: makeRunLimits(task, outputBytes) }),
    )
  } finally {
    await task.sandbox.removeFolder(folder)
  }
}

/** The first command of a language that the sandbox lacks; undefined if it has all. */
export function findMissingCommand(language: Language, sandbox: Sandbox): string | undefined {
  const { compile, check, run } = language
  const commands = [compile, check, run].flatMap((argv) => (argv ? [replaceNode(argv[0])] : []))
  return commands.find((command) => !command.includes('{') && !sandbox.hasCommand(command))
}

async function compile(task: Task, folder: string): Promise<void> {
  const { language } = task
  const command = language.compile ?? language.check
  if (!command) return
  const result = await runInTime(task, {
    argv: fillIn(command, task, folder),
    folder,
    // A check writes nothing for the run, and Perl's executes code of the program.
    writable: language.compile !== undefined,
    stdin: '',
    limits: makeCompileLimits(task),
  })
  if (result.exceeded)
    throw new CompileError(
      `${readMessages(result)}\n[the compiler exceeded its ${result.exceeded} limit]`.trim(),
    )
  if (result.exitCode !== 0)
    throw new CompileError(readMessages(result) || `[the compiler failed: ${describeEnd(result)}]`)
}

function makeCompileLimits({ language, compile = DEFAULT_SETTINGS.compile }: Task): Limits {
  const { cpuSeconds, wallSeconds, memoryMib } = { ...compile, ...language.compileLimits }
  return {
    wallMs: wallSeconds * 1000,
    cpuMs: cpuSeconds * 1000,
    memoryBytes: memoryMib * MIB,
    outputBytes: COMPILE_OUTPUT_BYTES,
    fileBytes: compile.folderMib * MIB,
    processes: PROCESSES,
  }
}

/** Fills in the main class. Without one, Java reports that Main is missing. */
async function nameMainClass(
  argv: readonly [string, ...string[]],
  folder: string,
): Promise<readonly [string, ...string[]]> {
  if (!argv.some((word) => word.includes(MAIN_CLASS))) return argv
  const name = (await findMainClass(folder)) ?? 'Main'
  const [command, ...args] = argv
  return [command, ...args.map((word) => word.replaceAll(MAIN_CLASS, () => name))]
}

type Execution = Pick<RunRequest, 'argv' | 'folder' | 'writable' | 'stdin' | 'limits'>

/** Runs a command. Repeats it alone if it reached the wall limit while it waited for a CPU. */
async function runInTime(task: Task, execution: Execution): Promise<RunResult> {
  const { sandbox, language, signal } = task
  const { environment, locks } = language
  const request = { ...execution, environment, locks, signal }
  const result = await sandbox.run(request)
  const { wallMs } = execution.limits
  if (!hasWaitedForCpu(result, execution.limits) || !task.takeRerun?.(wallMs / 1000)) return result
  return sandbox.run({ ...request, alone: true })
}

function hasWaitedForCpu({ exceeded, cpuMs, cpuWaitMs }: RunResult, limits: Limits): boolean {
  return exceeded === 'time' && cpuMs < limits.cpuMs && cpuWaitMs >= SHARE_OF_WALL_WAITED * limits.wallMs
}

function makeRunLimits({ language, limits }: Task, outputBytes: number): Limits {
  return {
    wallMs: limits.wallSeconds * 1000,
    cpuMs: limits.cpuSeconds * 1000,
    memoryBytes: Math.ceil((limits.memoryMib + language.memoryOverheadMib) * MIB),
    outputBytes,
    fileBytes: RUN_FILE_BYTES,
    processes: PROCESSES,
  }
}

export function describeEnd(result: RunResult): string {
  return result.signal === undefined ? `exit code ${result.exitCode}` : `killed by ${result.signal}`
}

function readMessages(result: RunResult): string {
  return [result.stderr, result.stdout]
    .map((output) => readText(output, MESSAGES_BYTES).trim())
    .filter(Boolean)
    .join('\n')
}

function fillIn(argv: readonly [string, ...string[]], task: Task, folder: string): [string, ...string[]] {
  const dir = task.sandbox.innerPath(folder)
  const fill = (word: string) =>
    replaceNode(word)
      .replaceAll('{dir}', dir)
      .replaceAll('{source}', join(dir, task.language.sourceFile))
      .replaceAll('{binary}', join(dir, 'program'))
      .replaceAll('{memory_mib}', String(Math.ceil(task.limits.memoryMib)))
  const [command, ...args] = argv
  return [fill(command), ...args.map(fill)]
}

function replaceNode(word: string): string {
  return word.replaceAll('{node}', process.execPath)
}
