import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Schemas } from '@judge-data-layer/client'
import type { Language } from '@judge-data-layer/languages'
import type { Limits, RunCommand, RunRequest, RunResult, Sandbox } from '../sandbox/sandbox.ts'
import { readText } from '../shared/cut-text.ts'
import { type CompileSettings, DEFAULT_SETTINGS, MIB } from '../shared/worker-settings.ts'
import { findMainClass } from './main-class.ts'
import type { ProgramLimits } from './program-limits.ts'
import { createRunsAhead, type ProgramFiles, type ReadNext } from './runs-ahead.ts'

export interface Task {
  readonly sandbox: Sandbox
  readonly language: Language
  readonly sourceCode: string
  /** Files beside the source file; their names may have folders. */
  readonly extraFiles?: Schemas['ProgramFiles']['files']
  /**
   * The names that the compiler gets, and the class to start; default: it is looked up in the
   * compiled files. Undefined: a program of one source file.
   */
  readonly severalFiles?: Pick<Schemas['ProgramFiles'], 'sources' | 'main_class'>
  readonly limits: ProgramLimits
  /** Used unless the language has its own limits; default: the worker's settings. */
  readonly compile?: CompileSettings
  /** Limits of the problem, which replace the limits of the language. */
  readonly compileLimits?: Partial<CompileSettings>
  /** Takes a rerun from the author's budget; false if there is too little left. */
  readonly takeRerun?: (wallSeconds: number) => boolean
  readonly signal?: AbortSignal | undefined
}

/** A compiled program. */
export interface Program {
  /** Runs it once. Meanwhile its next sandboxes are made, for the same objects as of later calls. */
  run(files: ProgramFiles, readNext?: ReadNext): Promise<RunResult>
  readonly makeCommand: MakeCommand
}

type Words = readonly [string, ...string[]]

/** A run without its input and output. */
export type MakeCommand = (outputBytes: number) => RunCommand

const COMPILE_OUTPUT_BYTES = MIB
const PROCESSES = 128
const RUN_FILE_BYTES = 64 * MIB
const MESSAGES_BYTES = 64 * 1024
const MAIN_CLASS = '{main_class}'
const SOURCE = '{source}'
const EXECUTABLE = 0o755
// Shorter waits happen on every machine.
const SHARE_OF_WALL_WAITED = 0.1

/** The compiler failed; the message has its output. */
export class CompileError extends Error {
  override readonly name = 'CompileError'
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
  return withCompiledFolder(task, async (folder) => {
    const makeCommand = await findCommandLine(task, folder)
    const makeRequest = ({ outputBytes, ...files }: ProgramFiles): RunRequest => {
      return { ...makeCommand(outputBytes), ...files, signal: task.signal }
    }
    const runs = createRunsAhead(task.sandbox, makeRequest)
    const run = (files: ProgramFiles, readNext: ReadNext = async () => []) =>
      runInTime(task, makeRequest(files), () => runs.run(files, readNext))
    return use({ run, makeCommand }).finally(runs.close)
  })
}

/** The same with the program's folder. */
export async function withCompiledFolder<T>(task: Task, use: (folder: string) => Promise<T>): Promise<T> {
  const missing = findMissingCommand(task.language, task.sandbox)
  if (missing !== undefined) throw new LanguageNotInstalled(task.language, missing)
  const folder = await task.sandbox.createFolder()
  try {
    await writeSources(task, folder)
    await compile(task, folder)
    return await use(folder)
  } finally {
    await task.sandbox.removeFolder(folder)
  }
}

/** The command of the program in a folder with the files of its compilation. */
export async function findCommandLine(task: Task, folder: string): Promise<MakeCommand> {
  const { language, severalFiles } = task
  const { environment, locks } = language
  const needsClass = language.run.some((word) => word.includes(MAIN_CLASS))
  // Without one, Java reports that Main is missing.
  const found = needsClass ? (severalFiles?.main_class ?? (await findMainClass(folder))) : undefined
  const mainClass = found ?? 'Main'
  const argv = fillIn(language.run, task, folder, mainClass)
  // By the package format, several files are in the working folder.
  const workingFolder = severalFiles ? 'program' : 'scratch'
  return (outputBytes) => {
    const limits = makeRunLimits(task, outputBytes)
    return { argv, folder, writable: false, workingFolder, environment, locks, limits }
  }
}

/** The first command of a language that the sandbox lacks; undefined if it has all. */
export function findMissingCommand(language: Language, sandbox: Sandbox): string | undefined {
  const { compile, check, run } = language
  const commands = [compile, check, run].flatMap((argv) => (argv ? [replaceNode(argv[0])] : []))
  return commands.find((command) => !command.includes('{') && !sandbox.hasCommand(command))
}

async function writeSources({ language, sourceCode, extraFiles = [] }: Task, folder: string): Promise<void> {
  for (const { name, content } of [{ name: language.sourceFile, content: sourceCode }, ...extraFiles]) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content, { mode: EXECUTABLE })
  }
}

async function compile(task: Task, folder: string): Promise<void> {
  const { language, signal } = task
  const command = language.compile ?? language.check
  if (!command) return
  const { environment, locks } = language
  const result = await runInTime(task, {
    ...{ environment, locks, signal },
    argv: fillIn(insertSources(command, task, folder), task, folder),
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

function makeCompileLimits({ language, compile = DEFAULT_SETTINGS.compile, compileLimits }: Task): Limits {
  const limits = { ...compile, ...language.compileLimits, ...compileLimits }
  return makeLimits(limits, COMPILE_OUTPUT_BYTES, compile.folderMib * MIB)
}

function makeLimits(
  { wallSeconds, cpuSeconds, memoryMib }: ProgramLimits,
  outputBytes: number,
  fileBytes: number,
) {
  return {
    wallMs: wallSeconds * 1000,
    cpuMs: cpuSeconds * 1000,
    memoryBytes: Math.ceil(memoryMib * MIB),
    outputBytes,
    fileBytes,
    processes: PROCESSES,
  }
}

/** Runs a command. Repeats it alone if it reached the wall limit on a busy machine. */
export async function runInTime(
  task: Task,
  request: RunRequest,
  runFirst = () => task.sandbox.run(request),
): Promise<RunResult> {
  const result = await runFirst()
  if (!mayRunAgain(task, result, request.limits)) return result
  if (request.outputFile !== undefined) await rm(request.outputFile)
  return task.sandbox.run({ ...request, alone: true })
}

/** Takes a rerun from the budget if the run reached the wall limit on a busy machine. */
export function mayRunAgain(task: Task, result: RunResult, limits: Limits): boolean {
  const { exceeded, cpuMs, cpuWaitMs, lateMs } = result
  const waitedMs = Math.max(cpuWaitMs, lateMs)
  const hasWaited =
    exceeded === 'time' && cpuMs < limits.cpuMs && waitedMs >= SHARE_OF_WALL_WAITED * limits.wallMs
  return hasWaited && (task.takeRerun?.(limits.wallMs / 1000) ?? false)
}

function makeRunLimits({ language, limits }: Task, outputBytes: number): Limits {
  const memoryMib = limits.memoryMib + language.memoryOverheadMib
  return makeLimits({ ...limits, memoryMib }, outputBytes, RUN_FILE_BYTES)
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

function insertSources([command, ...args]: Words, { severalFiles, sandbox }: Task, folder: string): Words {
  const paths = severalFiles?.sources.map((name) => join(sandbox.innerPath(folder), name))
  return [command, ...args.flatMap((word) => (word === SOURCE ? (paths ?? word) : word))]
}

function fillIn([command, ...args]: Words, task: Task, folder: string, mainClass = MAIN_CLASS): Words {
  const dir = task.sandbox.innerPath(folder)
  const fill = (word: string) =>
    replaceNode(word)
      .replaceAll(MAIN_CLASS, () => mainClass)
      .replaceAll('{dir}', dir)
      .replaceAll(SOURCE, join(dir, task.language.sourceFile))
      .replaceAll('{binary}', join(dir, 'program'))
      .replaceAll('{memory_mib}', String(Math.ceil(task.limits.memoryMib)))
  return [fill(command), ...args.map(fill)]
}

function replaceNode(word: string): string {
  return word.replaceAll('{node}', process.execPath)
}
