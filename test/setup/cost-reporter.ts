import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { readCpuSeconds } from './cpu-seconds.ts'
import { ROOT } from './places.ts'

const LISTED = 10

/** Prints the CPU time of a run, and its most expensive files. */
export default class CostReporter implements Reporter {
  onInit(): void {
    process.once('exit', () => console.log(`CPU time: ${readCpuSeconds().toFixed(0)} s`))
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map((one) => ({
      file: relative(ROOT, one.moduleId),
      seconds: one.meta().cpuSeconds ?? 0,
    }))
    costs.sort((one, other) => other.seconds - one.seconds)
    console.log('CPU seconds of the most expensive files:')
    for (const { file, seconds } of costs.slice(0, LISTED))
      console.log(`${seconds.toFixed(1).padStart(6)}  ${file}`)
  }
}
