import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import type { Meter, Meters, Usage } from './meter.ts'
import { type ExceededLimit, type Limits, type RunResult, SandboxFailure } from './sandbox.ts'

/** A command line that ends in the program, and how to tell that it got as far as the program. */
export interface Launch {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Reads what the launcher wrote to its file descriptor 3; undefined when the program was never started. */
  readonly readStatus: (text: string) => { exitCode: number | undefined } | undefined
}

export interface ExecuteRequest {
  readonly launch: Launch
  /** Opened anew for the program, so that it can open /dev/stdin too. */
  readonly stdinFile: string
  readonly limits: Limits
  readonly meter: Meter
  readonly intervalMs: Meters['intervalMs']
  readonly signal: AbortSignal | undefined
}

const STATUS_BYTES = 64 * 1024
const DRAIN_MS = 1000

/** Runs a launch under its limits and kills whatever it leaves. Throws `SandboxFailure`, or the signal's reason. */
export async function execute(request: ExecuteRequest): Promise<RunResult> {
  const { launch, limits, meter, signal } = request
  signal?.throwIfAborted()
  const startedAt = performance.now()
  const child = spawnLaunch(launch, request.stdinFile)
  const ending = waitForEnd(child)
  const watch = watchLimits(child, request)
  const stdout = collect(child.stdout, limits.outputBytes, () => watch.stop('output'))
  const stderr = collect(child.stderr, limits.outputBytes, () => watch.stop('output'))
  const status = collect(readableAt(child, 3), STATUS_BYTES, () => {})
  const end = await ending.finally(watch.end)
  const wallMs = performance.now() - startedAt
  await meter.killAll()
  await Promise.all([stdout.closed(), stderr.closed(), status.closed()])
  signal?.throwIfAborted()
  const launched = launch.readStatus(status.read().toString())
  const usage = meter.sample()
  const outcome = readEnd(end, launched?.exitCode)
  const exceeded = watch.exceeded() ?? findExceeded(usage, limits, outcome.signal)
  if (!launched && !exceeded) {
    throw new SandboxFailure(
      `the program could not be started: ${stderr.read().toString().trim() || 'no reason given'}`,
    )
  }
  const { cpuMs, peakMemoryBytes } = usage
  return {
    ...outcome,
    stdout: stdout.read(),
    stderr: stderr.read(),
    wallMs,
    cpuMs,
    peakMemoryBytes,
    exceeded,
  }
}

interface End {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

function spawnLaunch(launch: Launch, stdinFile: string): ChildProcess {
  const [command = '', ...args] = launch.argv
  const stdin = openSync(stdinFile, 'r')
  try {
    const stdio = [stdin, 'pipe' as const, 'pipe' as const, 'pipe' as const]
    return spawn(command, args, { cwd: launch.cwd, env: { ...launch.environment }, stdio, detached: true })
  } finally {
    closeSync(stdin)
  }
}

async function waitForEnd(child: ChildProcess): Promise<End> {
  try {
    await once(child, 'exit')
  } catch (err) {
    throw new SandboxFailure(
      `the sandbox could not be started: ${err instanceof Error ? err.message : String(err)}`,
    )
  }
  return { exitCode: child.exitCode, signal: child.signalCode }
}

/** Stops the child at the first limit that it exceeds, or when the request's signal says so. */
function watchLimits(child: ChildProcess, { limits, meter, intervalMs, signal }: ExecuteRequest) {
  let exceeded: ExceededLimit | undefined
  if (child.pid !== undefined) meter.attach(child.pid)
  const kill = () => killGroup(child)
  const stop = (limit: ExceededLimit) => {
    exceeded ??= limit
    kill()
  }
  const wallTimer = setTimeout(() => stop('time'), limits.wallMs)
  const sampleTimer = setInterval(() => {
    try {
      const usage = meter.sample()
      if (usage.outOfMemory) stop('memory')
      else if (usage.cpuMs >= limits.cpuMs) stop('time')
    } catch {
      // Nothing may run unmeasured. The sample after the end fails too, and says why.
      kill()
    }
  }, intervalMs)
  signal?.addEventListener('abort', kill)
  return {
    stop,
    exceeded: () => exceeded,
    end() {
      clearTimeout(wallTimer)
      clearInterval(sampleTimer)
      signal?.removeEventListener('abort', kill)
    },
  }
}

function killGroup(child: ChildProcess): void {
  // Its number may be another process's once it has ended.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

/** Keeps the first `limitBytes` of a stream and says when there is more. */
function collect(stream: Readable | null, limitBytes: number, onMore: () => void) {
  const chunks: Buffer[] = []
  let room = limitBytes
  stream?.on('data', (chunk: Buffer) => {
    if (chunk.length > room) onMore()
    if (room > 0) chunks.push(chunk.subarray(0, room))
    room = Math.max(0, room - chunk.length)
  })
  // A pipe that breaks has nothing more to say.
  stream?.on('error', () => {})
  return {
    read: () => Buffer.concat(chunks),
    async closed() {
      if (!stream || stream.closed) return
      // What escaped the kill could hold the pipe open for ever.
      const timer = setTimeout(() => stream.destroy(), DRAIN_MS)
      await once(stream, 'close').finally(() => clearTimeout(timer))
    },
  }
}

function readableAt(child: ChildProcess, index: number): Readable | null {
  const stream = child.stdio[index]
  return stream && 'read' in stream ? stream : null
}

function findExceeded(
  usage: Usage,
  limits: Limits,
  signal: string | null | undefined,
): ExceededLimit | undefined {
  if (usage.outOfMemory) return 'memory'
  if (usage.cpuMs >= limits.cpuMs || signal === 'SIGXCPU') return 'time'
  return signal === 'SIGXFSZ' ? 'output' : undefined
}

function readEnd(end: End, launchedExitCode: number | undefined): Pick<RunResult, 'exitCode' | 'signal'> {
  const exitCode = launchedExitCode ?? end.exitCode ?? undefined
  const signal = end.signal ?? nameSignal(launchedExitCode)
  return signal === undefined ? { exitCode, signal } : { exitCode: undefined, signal }
}

/** The signal behind an exit code of a shell or of bubblewrap: 128 and its number. */
function nameSignal(exitCode: number | undefined): string | undefined {
  if (exitCode === undefined || exitCode <= 128) return undefined
  return Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0]
}
