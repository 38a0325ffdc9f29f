import type { Limits } from './sandbox.ts'

const CPU_SLACK_S = 1
const FILE_BLOCK_BYTES = 512
const OPEN_FILES = 1024

/**
 * Shell commands that set the kernel's limits of a process and ignore failures. The stack may use
 * all memory. The CPU limit is a fallback: it is in whole seconds per process. Address space is
 * unlimited: each thread of Node.js and Java reserves a whole stack.
 */
export function makeLimitScript(limits: Limits): string {
  const cpuSeconds = Math.ceil(limits.cpuMs / 1000) + CPU_SLACK_S
  const commands = [
    'ulimit -c 0',
    `ulimit -n ${OPEN_FILES}`,
    `ulimit -S -t ${cpuSeconds}`,
    `ulimit -H -t ${cpuSeconds + 1}`,
    `ulimit -f ${Math.ceil(limits.fileBytes / FILE_BLOCK_BYTES)}`,
    `ulimit -S -s ${Math.ceil(limits.memoryBytes / 1024)} || ulimit -S -s $(ulimit -H -s)`,
  ]
  return `{ ${commands.join('; ')}; } 2>/dev/null`
}

/** A command prefix that limits the number of the user's processes. */
export function limitProcesses(processes: number): string[] {
  // Bash calls the limit u, dash and busybox p.
  const script = `{ ulimit -u ${processes} || ulimit -p ${processes}; } 2>/dev/null; exec "$@"`
  return ['/bin/sh', '-c', script, 'sh']
}
