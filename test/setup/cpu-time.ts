import { afterEach } from 'vitest'
import { readOwnCpuSeconds } from '../../tools/local-servers/process-tree.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** CPU time of the file, of its imports and of its processes that have ended. */
    cpuSeconds?: number
  }
}

declare global {
  /** The CPU time of this process at its last test. */
  var cpuSecondsAtLastTest: number | undefined
}

/** At the last test of the file before, which this process has run. */
const before = globalThis.cpuSecondsAtLastTest ?? 0

afterEach(({ task }) => {
  const now = readOwnCpuSeconds()
  globalThis.cpuSecondsAtLastTest = now
  task.file.meta.cpuSeconds = now - before
})
