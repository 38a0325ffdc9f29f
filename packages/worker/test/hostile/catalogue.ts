import type { ProgramLimits } from '../../src/program.ts'
import type { Status } from '../../src/verdict.ts'

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
export const DEFAULT_LIMITS: ProgramLimits = { cpuSeconds: 60, wallSeconds: 300, memoryMib: 128 }

/** As above, for the compiler. */
export const COMPILE_LIMITS = { cpuSeconds: 120, wallSeconds: 300 }

/** The last output of a program that has tried everything. */
export const COMPLETE = 'done\n'

const BUSY = { cpuSeconds: 0.4 }
const ASLEEP = { wallSeconds: 0.5 }
const SMALL = { memoryMib: 64 }
const ACCEPTED = 'ACCEPTED'
const CRASH = 'RUNTIME_ERROR'
const TIME = 'TIME_LIMIT_EXCEEDED'
const MEMORY = 'MEMORY_LIMIT_EXCEEDED'
const OUTPUT = 'OUTPUT_LIMIT_EXCEEDED'
const REFUSED = 'COMPILE_TIME_ERROR'

const processes: HostileProgram[] = [
  { file: 'fork-bomb.c', status: TIME, limits: BUSY },
  // A copy of an interpreter takes memory.
  { file: 'fork-bomb.py', status: [TIME, MEMORY], limits: BUSY },
  { file: 'fork-bomb.pl', status: [TIME, MEMORY], limits: BUSY },
  { file: 'spawn-bomb.js', status: [TIME, MEMORY], limits: BUSY },
  // The kernel frees the memory of ended processes later.
  { file: 'session-bomb.c', status: [TIME, MEMORY], limits: BUSY },
  { file: 'vfork-bomb.c', status: TIME, limits: BUSY },
  { file: 'process-count.c', status: ACCEPTED },
  { file: 'thread-count.cpp', status: ACCEPTED },
  { file: 'thread-bomb.java', status: ACCEPTED },
  { file: 'orphan-daemon.c', status: ACCEPTED },
  { file: 'orphan-hopping.c', status: ACCEPTED },
  { file: 'orphan-stdout.py', status: ACCEPTED },
  { file: 'orphan-detached.js', status: ACCEPTED },
  { file: 'orphan-nohup.pl', status: ACCEPTED },
  { file: 'orphan-process.java', status: ACCEPTED },
  { file: 'sleep.py', status: TIME, limits: ASLEEP },
  { file: 'sleep-deaf.pl', status: TIME, limits: ASLEEP },
  { file: 'sleep-blocked.c', status: TIME, limits: ASLEEP },
  { file: 'sleep-stopped.c', status: TIME, limits: ASLEEP },
  { file: 'spin.java', status: TIME, limits: { cpuSeconds: 1 } },
  { file: 'spin-children.c', status: TIME, limits: BUSY },
]

const memory: HostileProgram[] = [
  { file: 'memory-heap.c', status: MEMORY, limits: SMALL },
  { file: 'memory-small.cpp', status: MEMORY, limits: SMALL },
  { file: 'memory-shared-map.c', status: MEMORY, limits: SMALL },
  { file: 'memory-memfd.c', status: MEMORY, limits: SMALL },
  { file: 'memory-files.c', status: MEMORY, limits: SMALL },
  { file: 'memory-system-v.c', status: MEMORY, limits: SMALL },
  { file: 'memory-posix.c', status: MEMORY, limits: SMALL },
  { file: 'memory-stack.c', status: [MEMORY, CRASH], limits: SMALL },
  { file: 'memory-kernel.c', status: MEMORY, limits: SMALL },
  { file: 'memory-children.c', status: MEMORY, limits: SMALL },
  { file: 'memory-bytes.py', status: MEMORY, limits: SMALL },
  { file: 'memory-buffers.js', status: MEMORY, limits: SMALL },
  { file: 'memory-heap.js', status: MEMORY, limits: SMALL },
  { file: 'memory-heap.java', status: MEMORY, limits: SMALL },
  { file: 'memory-string.pl', status: MEMORY, limits: SMALL },
]

const output: HostileProgram[] = [
  { file: 'output-stdout.c', status: OUTPUT },
  { file: 'output-stderr.py', status: OUTPUT },
  { file: 'output-both.pl', status: OUTPUT },
  { file: 'output-one-line.js', status: OUTPUT },
  { file: 'output-binary.c', status: OUTPUT },
  { file: 'file-endless.pl', status: [CRASH, OUTPUT] },
  { file: 'file-many.c', status: MEMORY, limits: SMALL },
  { file: 'file-sparse.c', status: ACCEPTED },
]

const calls: HostileProgram[] = [
  { file: 'socket-reach.c', status: ACCEPTED },
  { file: 'socket-families.c', status: ACCEPTED },
  { file: 'network.py', status: ACCEPTED },
  { file: 'network.js', status: ACCEPTED },
  { file: 'signal-all.c', status: ACCEPTED },
  { file: 'signal-group.c', status: CRASH, output: '' },
  { file: 'signal-numbers.pl', status: ACCEPTED },
  { file: 'privileges.c', status: ACCEPTED },
  { file: 'calls-refused.c', status: ACCEPTED },
  { file: 'calls-x32.c', status: [ACCEPTED, CRASH] },
  { file: 'calls-i386.c', status: [ACCEPTED, CRASH] },
  { file: 'calls-namespaces.py', status: ACCEPTED },
  { file: 'locks.py', status: ACCEPTED },
  { file: 'watch-system.c', status: ACCEPTED },
]

const files: HostileProgram[] = [
  { file: 'write-mounts.py', status: ACCEPTED },
  { file: 'write-disks.pl', status: ACCEPTED },
  { file: 'host-files.py', status: ACCEPTED },
  { file: 'proc-walk.py', status: ACCEPTED },
  { file: 'proc-others.c', status: ACCEPTED },
  // Many runs, to hit the moment; while a program waits, this moment passes.
  {
    ...{ file: 'proc-first.c', status: ACCEPTED, startsAtOnce: true },
    inputs: Array.from({ length: 40 }, () => ''),
  },
  { file: 'proc-write.pl', status: ACCEPTED },
  { file: 'descriptors.c', status: ACCEPTED },
  { file: 'environment.py', status: ACCEPTED },
  { file: 'environment.java', status: ACCEPTED },
  { file: 'streams-by-path.py', status: ACCEPTED, inputs: [COMPLETE, COMPLETE] },
]

const verdicts: HostileProgram[] = [
  ...[1, 124, 137, 139, 152, 153, 159, 255].map((code) => ({
    ...({ file: 'exit-code.c', status: CRASH, inputs: [String(code)] } as const),
  })),
  { file: 'exit-signal.pl', status: CRASH },
  { file: 'exit-text.js', status: CRASH },
  { file: 'exit-text.java', status: CRASH },
  { file: 'exit-text.py', status: CRASH },
  { file: 'status-forged.c', status: CRASH },
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

/** All hostile programs that run alone. */
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
