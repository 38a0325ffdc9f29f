import { collectFirst } from './collect-output.ts'
import type { Meters, Usage } from './meter.ts'
import type { Pipes } from './pipes.ts'
import { CommandFailure, type ExceededLimit, type Limits, type RunResult, SandboxFailure } from './sandbox.ts'
import { type End, type GatedStart, type Launch, nameSignal, type StartRequest } from './start-run.ts'
import { watchLimits } from './watch-limits.ts'

export interface ExecuteRequest extends StartRequest {
  readonly launch: Launch
  readonly limits: Limits
  readonly pipes: Pipes
  readonly intervalMs: Meters['intervalMs']
  readonly signal: AbortSignal | undefined
}

/** How much of stderr is kept, for messages; its limit may be higher. */
const STDERR_BYTES = 16 * 2 ** 20
/** Bubblewrap's message. A program may write the same, but then there is an exit code. */
const NO_COMMAND = /^bwrap: execvp /m

/** Runs a program and kills all its processes. Throws `SandboxFailure` or the signal's reason. */
export async function execute(request: ExecuteRequest): Promise<RunResult> {
  const { limits, meter, signal, pipes, streams } = request
  signal?.throwIfAborted()
  const errors = await pipes.openOutput()
  let startedAt = performance.now()
  const running = request.launch.start(request, errors)
  const watch = watchLimits(running, request)
  streams.onStart?.(() => meter.countProcesses() > request.launch.outerProcesses)
  const stopOutput = () => watch.stop('output')
  const stdout = streams.collect(streams.output, limits.outputBytes, stopOutput)
  const stderr = collectFirst(STDERR_BYTES)(errors.output, limits.outputBytes, stopOutput)
  const ended = running.ended.finally(watch.end).catch(async (err: unknown) => {
    await meter.killAll()
    throw err
  })
  const hasStarted = request.gatedStart === undefined || (await passGate(request.gatedStart, ended, signal))
  if (request.gatedStart) startedAt = performance.now()
  watch.begin()
  const end = await ended
  streams.onEnd?.()
  const wallMs = performance.now() - startedAt
  await meter.killAll()
  const [texts] = await Promise.all([running.readTexts(), stdout.closed(), stderr.closed()])
  signal?.throwIfAborted()
  const launched = hasStarted ? request.launch.readStatus(texts.status) : undefined
  const usage = meter.sample()
  const exceeded = watch.exceeded() ?? findExceeded(usage, limits, end)
  const mayHaveNoStatus = hasStarted && (exceeded !== undefined || streams.stop?.aborted)
  if (!launched && !mayHaveNoStatus) throw describeFailedStart(texts.messages, stderr.read().toString())
  const { cpuMs, peakMemoryBytes } = usage
  return {
    ...readEnd(end, launched?.exitCode),
    ...{ stdout: stdout.read(), stdoutBytes: stdout.countBytes(), stderr: stderr.read() },
    ...{ wallMs, cpuMs, ...watch.waited(), peakMemoryBytes, exceeded },
  }
}

/** Lets the program start. False: it was aborted, or its sandbox has ended. Throws like `ended`. */
async function passGate(
  { gate, startWhen }: GatedStart,
  ended: Promise<End>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const mayStart = await Promise.race([startWhen.then(() => true), ended.then(() => false)])
  if (!mayStart || signal?.aborted) return false
  gate.open()
  return true
}

function describeFailedStart(...messages: readonly string[]): SandboxFailure {
  const reason = messages.map((message) => message.trim())
  const message = `the program could not be started: ${reason.filter(Boolean).join('; ') || 'no reason given'}`
  return reason.some((text) => NO_COMMAND.test(text))
    ? new CommandFailure(message)
    : new SandboxFailure(message)
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
  // Shells and bubblewrap report a signal as the exit code 128 plus its number.
  const signal = kernelSignal ?? nameSignal((launchedExitCode ?? 0) - 128)
  return { exitCode: signal === undefined ? exitCode : undefined, signal, kernelSignal }
}
