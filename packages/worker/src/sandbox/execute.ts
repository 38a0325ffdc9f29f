import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import type { Meter, Meters, Usage } from './meter.ts'
import type { OutputPipe, OutputPipes } from './output-pipes.ts'
import { type ExceededLimit, type Limits, type RunResult, SandboxFailure } from './sandbox.ts'

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
  /** A descriptor of a file, so that a program can open /dev/stdin. */
  readonly stdin: number
  readonly limits: Limits
  readonly meter: Meter
  readonly pipes: OutputPipes
  readonly intervalMs: Meters['intervalMs']
  readonly signal: AbortSignal | undefined
}

export const FILTER_DESCRIPTOR = 4

const STATUS_BYTES = 64 * 1024
const MESSAGES_BYTES = 64 * 1024
const DRAIN_MS = 1000
const KEYRING_MESSAGE = /^Joined session keyring:.*$/gm

/** Runs a program and kills all its processes. Throws `SandboxFailure` or the signal's reason. */
export async function execute(request: ExecuteRequest): Promise<RunResult> {
  const { limits, meter, signal, pipes } = request
  signal?.throwIfAborted()
  const outputs = await openOutputs(pipes)
  const startedAt = performance.now()
  const child = spawnLaunch(request, outputs)
  const ending = waitForEnd(child)
  const watch = watchLimits(child, request)
  const stdout = collect(outputs.stdout.output, limits.outputBytes, () => watch.stop('output'))
  const stderr = collect(outputs.stderr.output, limits.outputBytes, () => watch.stop('output'))
  const messages = collect(child.stderr, MESSAGES_BYTES, () => {})
  const status = collect(readableAt(child, 3), STATUS_BYTES, () => {})
  const end = await ending.finally(watch.end)
  const wallMs = performance.now() - startedAt
  await meter.killAll()
  await Promise.all([stdout, stderr, messages, status].map((stream) => stream.closed()))
  signal?.throwIfAborted()
  const launched = request.launch.readStatus(status.read().toString())
  const usage = meter.sample()
  const exceeded = watch.exceeded() ?? findExceeded(usage, limits, end)
  if (!launched && !exceeded) throw describeFailedStart(messages.read(), stderr.read())
  const { cpuMs, peakMemoryBytes } = usage
  return {
    ...readEnd(end, launched?.exitCode),
    ...{ stdout: stdout.read(), stderr: stderr.read() },
    ...{ wallMs, cpuMs, cpuWaitMs: watch.cpuWaitMs(), peakMemoryBytes, exceeded },
  }
}

async function openOutputs(pipes: OutputPipes): Promise<Outputs> {
  const stdout = await pipes.open()
  try {
    return { stdout, stderr: await pipes.open() }
  } catch (err) {
    closeSync(stdout.writeEnd)
    stdout.output.destroy()
    throw err
  }
}

function describeFailedStart(...messages: readonly Buffer[]): SandboxFailure {
  const reason = messages.map((message) => message.toString().replace(KEYRING_MESSAGE, '').trim())
  return new SandboxFailure(
    `the program could not be started: ${reason.filter(Boolean).join('; ') || 'no reason given'}`,
  )
}

type Outputs = Record<'stdout' | 'stderr', OutputPipe>

interface End {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

function spawnLaunch({ launch, stdin }: ExecuteRequest, { stdout, stderr }: Outputs): ChildProcess {
  const [command = '', ...args] = launch.argv
  const opened = [stdout.writeEnd, stderr.writeEnd]
  try {
    const filter = launch.filterFile === undefined ? 'ignore' : openSync(launch.filterFile, 'r')
    if (filter !== 'ignore') opened.push(filter)
    return spawn(command, args, {
      ...{ cwd: launch.cwd, env: { ...launch.environment }, detached: true },
      stdio: [stdin, stdout.writeEnd, 'pipe', 'pipe', filter, stderr.writeEnd],
    })
  } catch (err) {
    stdout.output.destroy()
    stderr.output.destroy()
    throw err
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
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
function watchLimits(child: ChildProcess, { limits, meter, intervalMs, signal }: ExecuteRequest) {
  let exceeded: ExceededLimit | undefined
  let cpuWaitMs = 0
  if (child.pid !== undefined) meter.attach(child.pid)
  const kill = () => killGroup(child)
  const stop = (limit: ExceededLimit) => {
    exceeded ??= limit
    kill()
  }
  const wallTimer = setTimeout(() => {
    cpuWaitMs = readOrZero(() => meter.readCpuWaitMs())
    stop('time')
  }, limits.wallMs)
  const sampleTimer = setInterval(() => {
    try {
      const usage = meter.sample()
      if (usage.outOfMemory) stop('memory')
      else if (usage.cpuMs >= limits.cpuMs) stop('time')
    } catch {
      // No program may run unmeasured. The sample after the end throws the reason.
      kill()
    }
  }, intervalMs)
  signal?.addEventListener('abort', kill)
  if (signal?.aborted) kill()
  return {
    stop,
    exceeded: () => exceeded,
    cpuWaitMs: () => cpuWaitMs,
    end() {
      clearTimeout(wallTimer)
      clearInterval(sampleTimer)
      signal?.removeEventListener('abort', kill)
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

/** Keeps the first `limitBytes` of a stream and calls `onMore` if there is more. */
function collect(stream: Readable | null, limitBytes: number, onMore: () => void) {
  const chunks: Buffer[] = []
  let room = limitBytes
  stream?.on('data', (chunk: Buffer) => {
    if (chunk.length > room) onMore()
    if (room > 0) chunks.push(chunk.subarray(0, room))
    room = Math.max(0, room - chunk.length)
  })
  stream?.on('error', () => {})
  return {
    read: () => Buffer.concat(chunks),
    async closed() {
      if (!stream || stream.closed) return
      // A process that escaped the kill could keep the pipe open.
      const timer = setTimeout(() => stream.destroy(), DRAIN_MS)
      await once(stream, 'close')
        .catch(() => undefined)
        .finally(() => clearTimeout(timer))
    },
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
