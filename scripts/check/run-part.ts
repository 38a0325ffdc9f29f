import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Part } from './parts.ts'
import { measureSlowness } from './slowness.ts'
import { withoutTestVariables } from './variables.ts'

/** How a part ended. */
export interface Outcome {
  readonly name: string
  /** Undefined if it passed. */
  readonly failure: string | undefined
  readonly wallSeconds: number
  /** CPU time of its processes that have ended. */
  readonly cpuSeconds: number
  readonly lastLines: string
}

const SHOWN_LINES = 60
/** A process that a command has left may hold its output open. */
const OUTPUT_ENDS_MS = 10_000
/** Runs a command, and writes the CPU time of its processes to the file `$0`. */
const TIMED = '"$@"; code=$?; times >"$0"; exit $code'

const running = new Set<ChildProcess>()

/**
 * Runs a part, with its files in a folder. Its output appears at once, or at its end if it runs
 * beside others.
 */
export async function runPart(part: Part, folder: string, isAlone: boolean): Promise<Outcome> {
  const place = (extension: string) => join(folder, `${part.name}.${extension}`)
  const readSlowness = () => (part.maxCpuSeconds === undefined ? 1 : measureSlowness())
  const slownessBefore = await readSlowness()
  const started = performance.now()
  const child = spawn('bash', ['-c', TIMED, place('times'), ...part.command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutTestVariables(),
      ...part.variables,
      ...(part.hasTests && { TEST_REPORT: place('json') }),
    },
    // A process group of its own, which `stopParts` ends.
    detached: true,
  })
  running.add(child)
  const log = createWriteStream(place('log'))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      log.write(bytes)
      if (isAlone) process.stdout.write(bytes)
    })
  const code = await waitForEnd(child).finally(() => running.delete(child))
  await new Promise<void>((resolve) => log.end(resolve))
  const output = await readFile(place('log'), 'utf8')
  if (!isAlone) process.stdout.write(output)
  const wallSeconds = (performance.now() - started) / 1000
  const slowness = Math.max(slownessBefore, await readSlowness())
  const cpuSeconds = readTimes(await readFile(place('times'), 'utf8').catch(() => ''))
  return {
    name: part.name,
    failure: explainFailure(code, cpuSeconds, slowness, part.maxCpuSeconds),
    wallSeconds,
    cpuSeconds,
    lastLines: output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n'),
  }
}

/** Ends the parts that run, with their processes. */
export function stopParts(): void {
  for (const { pid } of running) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGTERM')
    } catch {
      // Its processes have ended.
    }
  }
}

function waitForEnd(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    child.once('error', reject)
    child.once('exit', (code) => {
      timer = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
        resolve(code)
      }, OUTPUT_ENDS_MS)
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}

/** The second line has the user time and the system time of the children. */
function readTimes(text: string): number {
  const times = (text.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)
  return [...times].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}

/** Undefined if the part passed. Its CPU time is compared with what a quiet machine would take. */
export function explainFailure(
  code: number | null,
  cpuSeconds: number,
  slowness: number,
  max = Infinity,
): string | undefined {
  if (code !== 0) return `ended with ${code ?? 'a signal'}`
  if (cpuSeconds <= max * slowness) return undefined
  const budget = `${max} on a machine that is ${slowness.toFixed(1)} times as slow as a quiet one`
  return `used ${cpuSeconds.toFixed(0)} CPU seconds, more than ${budget}: see the budget in CONTRIBUTING.md`
}
