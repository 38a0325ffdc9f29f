import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Language } from '@judge-data-layer/languages'
import type { Task } from '../../src/programs/program.ts'
import type { ProgramLimits } from '../../src/programs/program-limits.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { Status } from '../../src/verdicts/case-result.ts'
import type { Verdict } from '../../src/verdicts/verdict.ts'
import { defaultLanguages } from '../support/default-languages.ts'
import { missing } from '../support/requirements.ts'
import { judgeOnTests, makeTestCase } from '../support/test-cases.ts'

/** A program that attacks the sandbox, and the verdict that it must get. */
export interface HostileProgram {
  /** In `programs/`; the extension names the language. */
  readonly file: string
  /** Several if the kernel decides which limit is first. */
  readonly status: Status | readonly Status[]
  readonly limits?: Partial<ProgramLimits>
  /** Limits of the compiler, so that an endless compilation ends soon. */
  readonly compileLimits?: { readonly cpuSeconds?: number; readonly memoryMib?: number }
  /** The inputs of the test cases; default: one, the input of `Targets`. */
  readonly inputs?: readonly string[]
  /** The expected output of every test case; default: `COMPLETE`. */
  readonly output?: string
  /** True: no run waits in its sandbox before it starts. */
  readonly startsAtOnce?: boolean
}

/** Limits that only an attack exceeds, also on a busy machine. */
const DEFAULT_LIMITS: ProgramLimits = { cpuSeconds: 60, wallSeconds: 300, memoryMib: 128 }

/** As above, for the compiler. */
const COMPILE_LIMITS = { cpuSeconds: 120, wallSeconds: 300 }

/** The last output of a program that has tried everything. */
export const COMPLETE = 'done\n'

const BUSY = { cpuSeconds: 0.4 }
// The worker makes the wall limit twice the CPU limit and a second.
const ASLEEP = { cpuSeconds: 2, wallSeconds: 5 }
const SMALL = { memoryMib: 64 }
const ACCEPTED = 'ACCEPTED'
const CRASH = 'RUNTIME_ERROR'
const TIME = 'TIME_LIMIT_EXCEEDED'
const MEMORY = 'MEMORY_LIMIT_EXCEEDED'
const OUTPUT = 'OUTPUT_LIMIT_EXCEEDED'
const REFUSED = 'COMPILE_TIME_ERROR'

/** Programs that must be accepted: they end normally and have gained nothing. */
function accepted(...files: string[]): HostileProgram[] {
  return files.map((file) => ({ file, status: ACCEPTED }))
}

function withInputs(program: HostileProgram, ...inputs: string[]): HostileProgram[] {
  return inputs.map((input) => ({ ...program, inputs: [input] }))
}

const processes: HostileProgram[] = [
  { file: 'fork-bomb.c', status: TIME, limits: BUSY },
  // A copy of an interpreter takes memory.
  { file: 'fork-bomb.py', status: [TIME, MEMORY], limits: BUSY },
  { file: 'fork-bomb.pl', status: [TIME, MEMORY], limits: BUSY },
  { file: 'spawn-bomb.js', status: [TIME, MEMORY], limits: BUSY },
  // The kernel frees the memory of ended processes later.
  { file: 'session-bomb.c', status: [TIME, MEMORY], limits: BUSY },
  { file: 'vfork-bomb.c', status: TIME, limits: BUSY },
  ...accepted('process-count.c', 'thread-count.cpp', 'orphan-daemon.c'),
  ...accepted('orphan-hopping.c', 'orphan-stdout.py', 'orphan-detached.js', 'orphan-nohup.pl'),
  ...accepted('orphan-process.java'),
  { file: 'sleep.py', status: TIME, limits: ASLEEP },
  { file: 'sleep-deaf.pl', status: TIME, limits: ASLEEP },
  ...withInputs({ file: 'sleep-deaf.c', status: TIME, limits: ASLEEP }, 'block', 'stop'),
  { file: 'spin.java', status: TIME, limits: { cpuSeconds: 1 } },
  { file: 'spin-children.c', status: TIME, limits: BUSY },
]

const kinds = ['heap', 'shared-map', 'memfd', 'files', 'system-v', 'posix', 'kernel', 'children']
const memoryFiles = [
  ...['memory-small.cpp', 'memory-bytes.py', 'memory-buffers.js', 'memory-heap.js', 'memory-heap.java'],
  'memory-string.pl',
]
const memory: HostileProgram[] = [
  ...withInputs({ file: 'memory-kinds.c', status: MEMORY, limits: SMALL }, ...kinds),
  { file: 'memory-kinds.c', status: [MEMORY, CRASH], limits: SMALL, inputs: ['stack'] },
  ...memoryFiles.map((file) => ({ file, status: MEMORY, limits: SMALL }) as const),
]

const output: HostileProgram[] = [
  ...withInputs({ file: 'output-stdout.c', status: OUTPUT }, 'lines', 'bytes'),
  { file: 'output-stderr.py', status: OUTPUT },
  { file: 'output-both.pl', status: OUTPUT },
  { file: 'output-one-line.js', status: OUTPUT },
  { file: 'file-endless.pl', status: [CRASH, OUTPUT] },
  { file: 'file-many.c', status: MEMORY, limits: SMALL },
  { file: 'file-sparse.c', status: ACCEPTED },
]

const calls: HostileProgram[] = [
  ...accepted('socket-reach.c', 'socket-families.c', 'network.py', 'network.js', 'signal-all.c'),
  ...accepted('signal-numbers.pl', 'privileges.c', 'calls-refused.c', 'calls-namespaces.py', 'locks.py'),
  ...accepted('watch-system.c'),
  { file: 'signal-group.c', status: CRASH, output: '' },
  { file: 'calls-x32.c', status: [ACCEPTED, CRASH] },
  { file: 'calls-i386.c', status: [ACCEPTED, CRASH] },
]

const files: HostileProgram[] = [
  ...accepted('write-mounts.py', 'write-disks.pl', 'host-files.py', 'proc-walk.py', 'proc-others.c'),
  ...accepted('proc-write.pl', 'descriptors.c', 'environment.py'),
  // Many runs, to hit the moment; while a program waits, this moment passes.
  { file: 'proc-first.c', status: ACCEPTED, startsAtOnce: true, inputs: Array(40).fill('') },
  { file: 'streams-by-path.py', status: ACCEPTED, inputs: [COMPLETE, COMPLETE] },
]

const verdicts: HostileProgram[] = [
  ...withInputs({ file: 'exit-code.c', status: CRASH }, '1', '124', '137', '139', '152', '153', '159', '255'),
  ...['exit-signal.pl', 'exit-text.js', 'exit-text.java', 'exit-text.py', 'status-forged.c'].map(
    (file) => ({ file, status: CRASH }) as const,
  ),
]

const compilations: HostileProgram[] = [
  { file: 'compile-begin.pl', status: ACCEPTED },
  { file: 'compile-endless-include.c', status: REFUSED, compileLimits: { memoryMib: 128 } },
  { file: 'compile-include-bomb.c', status: REFUSED, compileLimits: { cpuSeconds: 0.5, memoryMib: 256 } },
  { file: 'compile-templates.cpp', status: REFUSED, compileLimits: { cpuSeconds: 1, memoryMib: 256 } },
  { file: 'compile-large-object.c', status: REFUSED, compileLimits: { cpuSeconds: 5, memoryMib: 128 } },
  { file: 'compile-messages.c', status: REFUSED, compileLimits: { cpuSeconds: 1, memoryMib: 256 } },
  { file: 'compile-read-files.c', status: ACCEPTED },
  { file: 'compile-embed-shadow.c', status: REFUSED },
]

const messages: HostileProgram[] = [
  { file: 'messages-files.js', status: ACCEPTED, inputs: ['hidden input', 'public input', ''] },
  { file: 'messages-objects.pl', status: ACCEPTED, inputs: ['hidden input', 'public input'] },
  { file: 'streams-marked.c', status: ACCEPTED, inputs: ['the same input', 'the same input'] },
]

export const catalogue: readonly HostileProgram[] = [
  ...processes,
  ...memory,
  ...output,
  ...calls,
  ...files,
  ...verdicts,
  ...compilations,
  ...messages,
]

const FOLDER = join(import.meta.dirname, 'programs')
/** The sandbox shows only the system's commands. */
const SYSTEM_COMMANDS: Readonly<Record<string, string>> = {
  C: '/usr/bin/gcc',
  'C++': '/usr/bin/g++',
  Python: '/usr/bin/python3',
  JavaScript: process.execPath,
  Java: '/usr/bin/javac',
  Perl: '/usr/bin/perl',
}

export function readProgram(file: string): Promise<string> {
  return readFile(join(FOLDER, file), 'utf8')
}

/** The reason to leave out a hostile program; undefined if it can run on this machine. */
export function findObstacle({ file }: HostileProgram): string | undefined {
  if (/-(x32|i386)\./.test(file) && process.arch !== 'x64') return 'this processor has no such calls'
  const command = SYSTEM_COMMANDS[languageOf(file).name]
  return command === undefined ? `no command is known for ${file}` : missing(command)
}

/** The task of judging a hostile program. All its processes have `mark` in their environment. */
export async function makeTask(program: HostileProgram, sandbox: Sandbox, mark: string): Promise<Task> {
  const language = languageOf(program.file)
  return {
    sandbox,
    sourceCode: await readProgram(program.file),
    limits: { ...DEFAULT_LIMITS, ...program.limits },
    language: {
      ...language,
      environment: { ...language.environment, HOSTILE_MARK: mark },
      compileLimits: { ...language.compileLimits, ...COMPILE_LIMITS, ...program.compileLimits },
    },
  }
}

/** The same sandbox, in which all runs wait before they start, or none. */
export function changeStart(sandbox: Sandbox, waits: boolean): Sandbox {
  return {
    ...sandbox,
    async run({ startWhen, ...request }) {
      if (waits && !request.alone) return sandbox.run({ ...request, startWhen: startWhen ?? setImmediate() })
      await startWhen
      return sandbox.run(request)
    },
  }
}

/** Judges a hostile program; `input` is the default input of its test case. */
export async function judgeHostile(program: HostileProgram, task: Task, input: string): Promise<Verdict> {
  const { inputs = [input], output = COMPLETE } = program
  return judgeOnTests(
    task,
    inputs.map((text) => makeTestCase(text, output)),
  )
}

function languageOf(file: string): Language {
  const extension = extname(file).slice(1)
  const found = defaultLanguages.find(({ extensions }) => extensions.includes(extension))
  if (!found) throw new Error(`no language has the extension of ${file}`)
  return found
}
