import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { collectInMemory } from './collect-output.ts'
import type { Launcher, LauncherRequest } from './launcher.ts'
import type { Meter } from './meter.ts'
import type { OutputPipe, StartGate } from './pipes.ts'
import type { End, Running } from './running.ts'
import { SandboxFailure } from './sandbox.ts'
import type { Streams } from './streams.ts'

export const FILTER_DESCRIPTOR = 4
export const GATE_DESCRIPTOR = 8

/** A run that the launcher starts. */
interface LauncherRun {
  readonly launcher: Launcher
  readonly request: Omit<LauncherRequest, 'environment' | 'descriptors'>
}

/**
 * A command line that starts the program. It gets the program's stderr as descriptor 5 and moves it
 * to 2 at the end, so that its own messages stay apart.
 */
interface Launch {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** The number of processes around the program's own, such as bubblewrap's. */
  readonly outerProcesses: number
  /** The same by a launcher, if there is one; with stderr as descriptor 2. */
  readonly launcherRun?: LauncherRun | undefined
  /** Opened as descriptor 4. */
  readonly filterFile?: string | undefined
  /** Reads bubblewrap's output to descriptor 3; undefined if the program did not start. */
  readonly readStatus: (text: string) => { exitCode: number | undefined } | undefined
}

/** A run whose launcher makes the sandbox before the program may start. */
export interface GatedStart {
  readonly gate: StartGate
  readonly startWhen: Promise<void>
}

/** What the start of a run needs. */
export interface StartRequest {
  readonly launch: Launch
  readonly streams: Streams
  readonly meter: Meter
  /** Undefined: the program starts at once. */
  readonly gatedStart?: GatedStart | undefined
}

const INPUT_DESCRIPTOR = 6
const OUTPUT_DESCRIPTOR = 7
const TEXT_BYTES = 64 * 1024

/** Starts a run by its launcher or as a child of the worker, and closes the program's ends. */
export function startRun(request: StartRequest, errors: OutputPipe): Running {
  const { launcherRun } = request.launch
  return launcherRun ? startByLauncher(request, launcherRun, errors) : startChild(request, errors)
}

function startByLauncher(
  { launch, streams, meter, gatedStart }: StartRequest,
  { launcher, request }: LauncherRun,
  errors: OutputPipe,
): Running {
  const ownPath = (descriptor: number) => `/proc/${process.pid}/fd/${descriptor}`
  const read = (number: number, path: string) => ({ number, path, mode: 'r' as const })
  const write = (number: number, path: string) => ({ number, path, mode: 'w' as const })
  const [input, output] = [ownPath(streams.stdin), ownPath(streams.stdout)]
  const descriptors = [
    write(2, ownPath(errors.writeEnd)),
    ...(launch.filterFile === undefined ? [] : [read(FILTER_DESCRIPTOR, launch.filterFile)]),
    ...(streams.isConnected
      ? [read(0, '/dev/null'), write(1, '/dev/null')]
      : [read(0, input), write(1, output)]),
    ...(streams.isConnected ? [read(INPUT_DESCRIPTOR, input), write(OUTPUT_DESCRIPTOR, output)] : []),
    ...(gatedStart ? [read(GATE_DESCRIPTOR, ownPath(gatedStart.gate.descriptor))] : []),
  ]
  const closeEnds = () => {
    closeSync(errors.writeEnd)
    streams.closeEnds()
  }
  try {
    return launcher.start({ ...request, environment: launch.environment, descriptors }, (pid) => {
      closeEnds()
      if (pid !== undefined) meter.attach(pid)
    })
  } catch (err) {
    closeEnds()
    errors.output.destroy()
    throw err
  }
}

function startChild(request: StartRequest, errors: OutputPipe): Running {
  const child = spawnLaunch(request, errors)
  const messages = collectInMemory(child.stderr, TEXT_BYTES, () => {})
  const status = collectInMemory(readableAt(child, 3), TEXT_BYTES, () => {})
  if (child.pid !== undefined) request.meter.attach(child.pid)
  return {
    ended: waitForEnd(child),
    kill: () => killGroup(child),
    async readTexts() {
      await Promise.all([messages.closed(), status.closed()])
      return { status: status.read().toString(), messages: messages.read().toString() }
    },
  }
}

function spawnLaunch({ launch, streams }: StartRequest, errors: OutputPipe): ChildProcess {
  const [command = '', ...args] = launch.argv
  const opened = [errors.writeEnd]
  try {
    const filter = openFilter(launch)
    if (filter !== 'ignore') opened.push(filter)
    const [stdin, stdout] = [streams.stdin, streams.stdout]
    // Descriptors 2 to 5: messages, status, `FILTER_DESCRIPTOR` and the program's stderr.
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

function openFilter({ filterFile }: Launch): number | 'ignore' {
  return filterFile === undefined ? 'ignore' : openSync(filterFile, 'r')
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
