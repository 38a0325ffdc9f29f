import { readFileSync } from 'node:fs'

/** The clock of the kernel's figures for processes. */
const TICKS_PER_SECOND = 100

/** CPU seconds of this process and of its children that have ended. 0 where there is no `/proc`. */
export function readCpuSeconds(): number {
  try {
    // The name of the command may contain spaces. The times of a process are fields 14 to 17.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}
