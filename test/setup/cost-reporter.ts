import { dirname, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { readOwnCpuSeconds } from '../../tools/local-servers/process-tree.ts'
import { ROOT } from './places.ts'

const LISTED = 10

declare module 'vitest' {
  interface TaskMeta {
    reason?: string
  }
}

/** Prints the CPU time of a run, its most expensive files, and why tests were skipped. */
export default class CostReporter implements Reporter {
  onInit(): void {
    process.once('exit', () => console.log(`CPU time: ${readOwnCpuSeconds().toFixed(0)} s`))
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.map((one) => ({
      file: relative(ROOT, one.moduleId),
      seconds: one.meta().cpuSeconds ?? 0,
    }))
    const byFolder = new Map<string, number>()
    for (const { file, seconds } of costs)
      byFolder.set(dirname(file), (byFolder.get(dirname(file)) ?? 0) + seconds)
    console.log('CPU seconds by folder (CONTRIBUTING.md has the budget):')
    printLargest([...byFolder])
    console.log('CPU seconds of the most expensive files:')
    printLargest(costs.map(({ file, seconds }) => [file, seconds]))
    for (const [reason, count] of countSkipped(modules))
      console.log(`${count} tests were skipped: ${reason}.`)
  }
}

function printLargest(costs: [name: string, seconds: number][]): void {
  costs.sort(([, one], [, other]) => other - one)
  for (const [name, seconds] of costs.slice(0, LISTED))
    console.log(`${seconds.toFixed(1).padStart(6)}  ${name}`)
}

function countSkipped(modules: readonly TestModule[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const test of modules.flatMap((one) => [...one.children.allTests('skipped')])) {
    const { reason = 'their files say why' } = test.meta()
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return counts
}
