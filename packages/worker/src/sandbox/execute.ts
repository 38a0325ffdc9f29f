import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { collectFirst, collectInMemory } from './collect-output.ts'
import type { Meter, Meters, Usage } from './meter.ts'
import type { OutputPipe, Pipes } from './pipes.ts'
import { CommandFailure, type ExceededLimit, type Limits, type RunResult, SandboxFailure } from './sandbox.ts'
import type { Streams } from './streams.ts'

/**
 * A command line that starts the program. It gets the program's stderr as descriptor 5 and moves it
 * to 2 at the end, so that its own messages stay apart.
 */
export interface Launch {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Opened as descriptor 4. */
  readonly filterFile?: string | undefined
  /** Reads the launcher's output to descriptor 3; undefined if the program did not start. */
  readonly readStatus: (text: string) => { exitCode: number | undefined } | undefined
}

export interface ExecuteRequest {
  readonly launch: Launch
  readonly streams: Streams
  readonly limits: Limits
  readonly meter: Meter
  readonly pipes: Pipes
  readonly intervalMs: Meters['intervalMs']
  readonly signal: AbortSignal | undefined
}

export const FILTER_DESCRIPTOR = 4

/** A command prefix for connected streams: the program alone has them, also in a sandbox. */
export const CONNECT = ['/bin/sh', '-c', 'exec "$@" <&6 >&7 6<&- 7>&-', 'sh']

/** A longer timer of Node.js ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** How much of stderr is kept, for messages; its limit may be higher. */
const STDERR_BYTES = 16 * 2 ** 20
const STATUS_BYTES = 64 * 1024
const MESSAGES_BYTES = 64 * 1024
/** Bubblewrap's message; a program cannot write to the same stream. */
const NO_COMMAND = /^bwrap: execvp /m
const KEYRING_MESSAGE = /^Joined session keyring:.*$/gm

/** Runs a program and kills all its processes. Throws `SandboxFailure` or the signal's reason. */
export async function execute(request: ExecuteRequest): Promise<RunResult> {
  const { limits, meter, signal, pipes, streams } = request
  signal?.throwIfAborted()
  const errors = await pipes.openOutput()
  const startedAt = performance.now()
  const child = spawnLaunch(request, errors)
  const ending = waitForEnd(child)
  const watch = watchLimits(child, request)
  const stopOutput = () => watch.stop('output')
  const stdout = streams.collect(streams.output, limits.outputBytes, stopOutput)
  const stderr = collectFirst(STDERR_BYTES)(errors.output, limits.outputBytes, stopOutput)
  const messages = collectInMemory(child.stderr, MESSAGES_BYTES, () => {})
  const status = collectInMemory(readableAt(child, 3), STATUS_BYTES, () => {})
  const end = await ending.finally(watch.end)
  streams.onEnd?.()
  const wallMs = performance.now() - startedAt
  await meter.killAll()
  await Promise.all([stdout, stderr, messages, status].map((stream) => stream.closed()))
  signal?.throwIfAborted()
  const launched = request.launch.readStatus(status.read().toString())
  const usage = meter.sample()
  const exceeded = watch.exceeded() ?? findExceeded(usage, limits, end)
  if (!launched && !exceeded && !streams.stop?.aborted)
    throw describeFailedStart(messages.read(), stderr.read())
  const { cpuMs, peakMemoryBytes } = usage
  return {
    ...readEnd(end, launched?.exitCode),
    ...{ stdout: stdout.read(), stdoutBytes: stdout.countBytes(), stderr: stderr.read() },
    ...{ wallMs, cpuMs, cpuWaitMs: watch.cpuWaitMs(), peakMemoryBytes, exceeded },
  }
}

function describeFailedStart(...messages: readonly Buffer[]): SandboxFailure {
  const reason = messages.map((message) => message.toString().replace(KEYRING_MESSAGE, '').trim())
  const message = `the program could not be started: ${reason.filter(Boolean).join('; ') || 'no reason given'}`
  return reason.some((text) => NO_COMMAND.test(text))
    ? new CommandFailure(message)
    : new SandboxFailure(message)
}

interface End {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

function spawnLaunch({ launch, streams }: ExecuteRequest, errors: OutputPipe): ChildProcess {
  const [command = '', ...args] = launch.argv
  const opened = [errors.writeEnd]
  try {
    const filter = launch.filterFile === undefined ? 'ignore' : openSync(launch.filterFile, 'r')
    if (filter !== 'ignore') opened.push(filter)
    const [stdin, stdout] = [streams.stdin, streams.stdout]
    const others = ['pipe', 'pipe', filter, errors.writeEnd] as const
    return spawn(command, args, {
      ...{ cwd: launch.cwd, env: { ...launch.environment }, detached: true },
      stdio: streams.isConnected
        ? ['ignore', 'ignore', ...others, stdin, stdout]
        : [stdin, stdout, ...others],
    })
  } catch (err) {
    errors.output.destroy()
    throw err
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
    streams.closeEnds()
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

/** Stops the child at the first exceeded limit or when the signal is aborted. */
function watchLimits(child: ChildProcess, request: ExecuteRequest) {
  const { limits, meter, intervalMs } = request
  const signals = [request.signal, request.streams.stop].filter((signal) => signal !== undefined)
  let exceeded: ExceededLimit | undefined
  let cpuWaitMs = 0
  if (child.pid !== undefined) meter.attach(child.pid)
  const kill = () => killGroup(child)
  const stop = (limit: ExceededLimit) => {
    exceeded ??= limit
    kill()
  }
  // Processes that have ended may no longer count.
  const readCpuWait = () => {
    cpuWaitMs = Math.max(
      cpuWaitMs,
      readOrZero(() => meter.readCpuWaitMs()),
    )
  }
  const wallTimer = setTimeout(
    () => {
      readCpuWait()
      stop('time')
    },
    Math.min(limits.wallMs, LONGEST_TIMER_MS),
  )
  const sampleTimer = setInterval(() => {
    try {
      const usage = meter.sample()
      if (request.streams.isConnected) readCpuWait()
      if (usage.outOfMemory) stop('memory')
      else if (usage.cpuMs >= limits.cpuMs) stop('time')
    } catch {
      // No program may run unmeasured. The sample after the end throws the reason.
      kill()
    }
  }, intervalMs)
  for (const signal of signals) signal.addEventListener('abort', kill)
  if (signals.some((signal) => signal.aborted)) kill()
  return {
    stop,
    exceeded: () => exceeded,
    cpuWaitMs: () => cpuWaitMs,
    end() {
      clearTimeout(wallTimer)
      clearInterval(sampleTimer)
      for (const signal of signals) signal.removeEventListener('abort', kill)
    },
  }
}

function killGroup(child: ChildProcess): void {
  // After its end another process may have its number.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

function readableAt(child: ChildProcess, index: number): Readable | null {
  const stream = child.stdio[index]
  return stream && 'read' in stream ? stream : null
}

/** Uses only the kernel's counters and signals: a program can choose its exit code. */
function findExceeded(usage: Usage, limits: Limits, end: End): ExceededLimit | undefined {
  if (usage.outOfMemory) return 'memory'
  if (usage.cpuMs >= limits.cpuMs || end.signal === 'SIGXCPU') return 'time'
  return end.signal === 'SIGXFSZ' ? 'output' : undefined
}

function readEnd(
  end: End,
  launchedExitCode: number | undefined,
): Pick<RunResult, 'exitCode' | 'signal' | 'kernelSignal'> {
  const exitCode = launchedExitCode ?? end.exitCode ?? undefined
  const kernelSignal = end.signal ?? undefined
  const signal = kernelSignal ?? nameSignal(launchedExitCode)
  return { exitCode: signal === undefined ? exitCode : undefined, signal, kernelSignal }
}

/** Shells and bubblewrap report a signal as the exit code 128 plus its number. */
function nameSignal(exitCode: number | undefined): string | undefined {
  if (exitCode === undefined || exitCode <= 128) return undefined
  return Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0]
}

function readOrZero(read: () => number): number {
  try {
    return read()
  } catch {
    return 0
  }
}
