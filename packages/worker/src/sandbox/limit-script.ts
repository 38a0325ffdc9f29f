import type { KernelLimit } from './launcher.ts'
import type { Limits } from './sandbox.ts'

const CPU_SLACK_S = 1
const FILE_BLOCK_BYTES = 512
const OPEN_FILES = 1024
// The kernel's numbers, the same on every processor that the launcher knows.
const RESOURCES = { cpu: 0, fileBytes: 1, stackBytes: 3, coreBytes: 4, openFiles: 7 }
const KIB = 1024

/**
 * Shell commands that set the kernel's limits of a process and ignore failures. The stack may use
 * all memory. The CPU limit is a fallback: it is in whole seconds per process. Address space is
 * unlimited: each thread of Node.js and Java reserves a whole stack.
 */
export function makeLimitScript(limits: Limits): string {
  const { cpuSeconds, fileBlocks, stackKib } = roundLimits(limits)
  const commands = [
    'ulimit -c 0',
    `ulimit -n ${OPEN_FILES}`,
    `ulimit -S -t ${cpuSeconds}`,
    `ulimit -H -t ${cpuSeconds + 1}`,
    `ulimit -f ${fileBlocks}`,
    `ulimit -S -s ${stackKib} || ulimit -S -s $(ulimit -H -s)`,
  ]
  return `{ ${commands.join('; ')}; } 2>/dev/null`
}

/** The limits that `makeLimitScript` sets. */
export function listKernelLimits(limits: Limits): KernelLimit[] {
  const { cpuSeconds, fileBlocks, stackKib } = roundLimits(limits)
  const both = (resource: number, value: number) => ({ resource, soft: value, hard: value })
  return [
    both(RESOURCES.coreBytes, 0),
    both(RESOURCES.openFiles, OPEN_FILES),
    { resource: RESOURCES.cpu, soft: cpuSeconds, hard: cpuSeconds + 1 },
    both(RESOURCES.fileBytes, fileBlocks * FILE_BLOCK_BYTES),
    { resource: RESOURCES.stackBytes, soft: stackKib * KIB },
  ]
}

function roundLimits({ cpuMs, fileBytes, memoryBytes }: Limits) {
  return {
    cpuSeconds: Math.ceil(cpuMs / 1000) + CPU_SLACK_S,
    fileBlocks: Math.ceil(fileBytes / FILE_BLOCK_BYTES),
    stackKib: Math.ceil(memoryBytes / KIB),
  }
}

/** A command prefix that limits the number of the user's processes. */
export function limitProcesses(processes: number): string[] {
  // Bash calls the limit u, dash and busybox p.
  const script = `{ ulimit -u ${processes} || ulimit -p ${processes}; } 2>/dev/null; exec "$@"`
  return ['/bin/sh', '-c', script, 'sh']
}
