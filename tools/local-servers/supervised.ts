import { readFileSync } from 'node:fs'
import { listTree } from './process-tree.ts'

/** A child of `npm start -- --judge`. */
export type Supervised = 'service' | 'worker'

const SCRIPTS: Readonly<Record<Supervised, string>> = {
  service: 'dist/src/main.js',
  worker: 'packages/worker/dist/main.js',
}

/** The process of a child now; undefined while it is down, and without /proc. */
export function findSupervised(parent: number, of: Supervised): number | undefined {
  const children = listTree(parent).filter((child) => child.parent === parent)
  return children.find(({ pid }) => readCommandLine(pid).includes(SCRIPTS[of]))?.pid
}

function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
