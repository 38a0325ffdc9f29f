import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const REFERENCE_WORK = fileURLToPath(new URL('reference-work.js', import.meta.url))
/** It runs on two cores, as tests do: a core is slower while its neighbour works. */
const AT_ONCE = 2
/** The CPU seconds of the reference work where `npm test` takes 115. */
const QUIET_CPU_SECONDS = 0.15

/**
 * How many times as much CPU time the same work takes now as on a quiet machine; at least 1. The
 * neighbours of a virtual machine slow its cores, and CPU seconds get longer as they do.
 */
export async function measureSlowness(repetitions = 8): Promise<number> {
  const seconds = await Promise.all(Array.from({ length: AT_ONCE }, () => doReferenceWork(repetitions)))
  return Math.max(1, Math.max(...seconds) / QUIET_CPU_SECONDS)
}

async function doReferenceWork(repetitions: number): Promise<number> {
  const child = spawn(process.execPath, [REFERENCE_WORK, `${repetitions}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const seconds = Number(await text(child.stdout))
  if (!(seconds > 0)) throw new Error('the reference work printed no time')
  return seconds
}
