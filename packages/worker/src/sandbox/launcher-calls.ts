import type { Processor } from './seccomp/system-calls.ts'

/** Numbers of the launcher's system calls, from the kernel's `unistd.h`. */
const CALLS: Readonly<Record<string, Readonly<Record<Processor, number>>>> = {
  close: { x64: 3, arm64: 57 },
  rt_sigprocmask: { x64: 14, arm64: 135 },
  setsid: { x64: 112, arm64: 157 },
  setgroups: { x64: 116, arm64: 159 },
  setresuid: { x64: 117, arm64: 147 },
  setresgid: { x64: 119, arm64: 149 },
  prctl: { x64: 157, arm64: 167 },
  exit_group: { x64: 231, arm64: 94 },
  keyctl: { x64: 250, arm64: 219 },
  signalfd4: { x64: 289, arm64: 74 },
  dup3: { x64: 292, arm64: 24 },
  prlimit64: { x64: 302, arm64: 261 },
  setns: { x64: 308, arm64: 268 },
  memfd_create: { x64: 319, arm64: 279 },
}

/** The numbers as one argument of the launcher. */
export function listLauncherCalls(processor: Processor): string {
  return Object.entries(CALLS)
    .map(([name, numbers]) => `${name}=${numbers[processor]}`)
    .join(',')
}
