import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Language } from '@judge-data-layer/languages'
import type { Limits, RunResult, Sandbox } from './sandbox/sandbox.ts'
import { readText } from './verdict.ts'

/** What a program may use, as the service gives it (D17). */
export interface ProgramLimits {
  /** `accept_timeout`: wall-clock seconds for one run. */
  readonly wallSeconds: number
  /** `execution_timeout`: CPU seconds for one run. */
  readonly cpuSeconds: number
  /** `memory_limit`. */
  readonly memoryMib: number
}

/** A program to judge, and where. */
export interface Task {
  readonly sandbox: Sandbox
  readonly language: Language
  readonly sourceCode: string
  readonly limits: ProgramLimits
  readonly signal?: AbortSignal | undefined
}

/** A program ready to run: on this stdin, with this many bytes of output. */
export type Program = (stdin: string, outputBytes: number) => Promise<RunResult>

const MIB = 2 ** 20
const COMPILE_LIMITS: Limits = {
  wallMs: 30_000,
  cpuMs: 30_000,
  memoryBytes: 1024 * MIB,
  outputBytes: MIB,
  fileBytes: 256 * MIB,
  processes: 128,
}
const RUN_FILE_BYTES = 64 * MIB
const RUN_PROCESSES = 128
const MESSAGES_BYTES = 64 * 1024

/** The compiler refused the program; the message is what it said. */
export class CompileError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CompileError'
  }
}

/** This worker lacks what the language needs. */
export class LanguageNotInstalled extends Error {
  constructor(language: Language, command: string) {
    super(
      `${language.name} ${language.version} is not installed on this judge worker: "${command}" was not found`,
    )
    this.name = 'LanguageNotInstalled'
  }
}

/**
 * Compiles a task's program, lets `use` run it, and removes it. Throws `CompileError`, `LanguageNotInstalled`,
 * `SandboxFailure`, or the signal's reason.
 */
export async function withProgram<T>(task: Task, use: (program: Program) => Promise<T>): Promise<T> {
  const missing = findMissingCommand(task.language, task.sandbox)
  if (missing !== undefined) throw new LanguageNotInstalled(task.language, missing)
  const folder = await task.sandbox.createFolder()
  try {
    await writeFile(join(folder, task.language.sourceFile), task.sourceCode)
    await compile(task, folder)
    return await use((stdin, outputBytes) => run(task, folder, stdin, outputBytes))
  } finally {
    await task.sandbox.removeFolder(folder)
  }
}

/** The first command that a language needs and the sandbox has not; undefined when the language can be judged. */
export function findMissingCommand(language: Language, sandbox: Sandbox): string | undefined {
  const commands = [language.compile, language.run].flatMap((argv) => (argv ? [replaceNode(argv[0])] : []))
  return commands.find((command) => !command.includes('{') && !sandbox.hasCommand(command))
}

async function compile(task: Task, folder: string): Promise<void> {
  if (!task.language.compile) return
  const result = await task.sandbox.run({
    argv: fillIn(task.language.compile, task, folder),
    folder,
    writable: true,
    stdin: '',
    environment: task.language.environment,
    limits: COMPILE_LIMITS,
    signal: task.signal,
  })
  if (result.exceeded)
    throw new CompileError(
      `${readMessages(result)}\n[the compiler exceeded its ${result.exceeded} limit]`.trim(),
    )
  if (result.exitCode !== 0)
    throw new CompileError(readMessages(result) || `[the compiler failed: ${describeEnd(result)}]`)
}

function run(task: Task, folder: string, stdin: string, outputBytes: number): Promise<RunResult> {
  const { sandbox, language, limits, signal } = task
  return sandbox.run({
    argv: fillIn(language.run, task, folder),
    folder,
    writable: false,
    stdin,
    environment: language.environment,
    limits: {
      wallMs: limits.wallSeconds * 1000,
      cpuMs: limits.cpuSeconds * 1000,
      memoryBytes: Math.ceil((limits.memoryMib + language.memoryOverheadMib) * MIB),
      outputBytes,
      fileBytes: RUN_FILE_BYTES,
      processes: RUN_PROCESSES,
    },
    signal,
  })
}

/** How a program ended, in words. */
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
