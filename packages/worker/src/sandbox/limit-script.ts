import type { Limits } from './sandbox.ts'

const CPU_SLACK_S = 1
const FILE_BLOCK_BYTES = 512
const OPEN_FILES = 1024

/**
 * Shell commands that put the kernel's own limits on the process, silently where one cannot be set. The stack is limited
 * by the memory alone; the CPU limit only backs up the measured one, since it is in whole seconds for each process. There
 * is no limit on address space or data: threads of Node.js and Java reserve a whole stack each, far more than they touch.
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

/** A command that runs the words after it with at most this many processes of their user. */
export function limitProcesses(processes: number): string[] {
  // Bash calls the limit u, dash and busybox p.
  const script = `{ ulimit -u ${processes} || ulimit -p ${processes}; } 2>/dev/null; exec "$@"`
  return ['/bin/sh', '-c', script, 'sh']
}
