import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { listTree, sendSignal, signalTree } from './process-tree.ts'

/** A server that runs as a process of its own, with what it has started in turn. */
export interface ServerProcess {
  readonly pid: number
  /** Resolves once it has ended, with its exit code, null after a signal. */
  readonly ended: Promise<number | null>
  isRunning(): boolean
  /** Sends a signal to the process alone and waits until it has ended; kills all of it after `withinMs`. */
  end(signal: NodeJS.Signals, withinMs?: number): Promise<number | null>
  /** Kills (SIGKILL) it and all that it has started. */
  killAll(): Promise<void>
  /** Stops it in its tracks (SIGSTOP), with all that it has started, until `thaw`. */
  freeze(): void
  thaw(): void
  /** CPU time since its start, its children's in it, those also that have ended. */
  readCpuMs(): number
}

/** How to start a server, and how to tell that it runs: by what it prints, or by asking it. */
export type ServerCommand = ServerStart & (Heard | Unheard)

interface ServerStart {
  /** What errors call it. */
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>
  readonly readyWithinMs: number
  /** What ends it, and all that it holds, when this process ends first. */
  readonly lastSignal: NodeJS.Signals
}

interface Heard {
  /** Takes each line that it prints; says whether the line tells that it is ready. */
  readonly isReady: (line: string) => boolean
}

/** What it prints goes nowhere, and what it prints as an error where this process prints its own. */
interface Unheard {
  /** Asks it whether it is ready, again and again until it is. */
  readonly askReady: () => Promise<boolean>
}

const END_WITHIN_MS = 30_000
const LAST_WORDS = 30
const ASK_EVERY_MS = 50
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const EXIT_CODES: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/**
 * Starts a server and waits until it is ready; throws with its last words where it is not in time. It ends at the latest
 * with this process, also when that is interrupted.
 */
export async function startServerProcess(server: ServerCommand): Promise<ServerProcess> {
  // A session of its own: Ctrl-C reaches this process alone, which then ends the server in order.
  const child = spawn(server.command, server.args, {
    ...server.options,
    stdio: 'askReady' in server ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let isRunning = true
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      isRunning = false
      resolve(code)
    })
  })
  const { pid } = child
  if (pid === undefined)
    throw new Error(`${server.name} cannot be started`, { cause: await once(child, 'error') })
  const endNow = () => endBeforeExit(pid, server.lastSignal)
  // Before the folders, which were made earlier, are removed: a server that still writes would leave files behind.
  process.prependOnceListener('exit', endNow)
  exitOnSignals()
  void ended.then(() => process.removeListener('exit', endNow))
  const handle = describeProcess(pid, ended, () => isRunning)
  const said: string[] = []
  const ready =
    'askReady' in server
      ? askUntilReady(server, () => isRunning)
      : readUntilReady(server, [child.stdout, child.stderr], said)
  try {
    await refuseLateStart(server, Promise.race([ready, ended.then(() => false)]), said)
  } catch (err) {
    await handle.killAll()
    throw err
  }
  return handle
}

function describeProcess(
  pid: number,
  ended: Promise<number | null>,
  isRunning: () => boolean,
): ServerProcess {
  const killAll = async () => {
    if (isRunning()) signalTree(pid, 'SIGKILL')
    await ended
  }
  const end = async (signal: NodeJS.Signals, withinMs = END_WITHIN_MS) => {
    if (isRunning()) sendSignal(pid, signal)
    const timer = setTimeout(() => void killAll(), withinMs)
    return ended.finally(() => clearTimeout(timer))
  }
  return {
    ...{ pid, ended, isRunning, end, killAll },
    freeze: () => signalTree(pid, 'SIGSTOP'),
    thaw: () => signalTree(pid, 'SIGCONT'),
    readCpuMs: () => listTree(pid).reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  }
}

/** Keeps the last lines in `said`. Goes on reading after that, so that the server never waits for a full pipe. */
function readUntilReady(
  { isReady }: Heard,
  outputs: readonly (NodeJS.ReadableStream | null)[],
  said: string[],
): Promise<boolean> {
  return new Promise((resolve) => {
    for (const output of outputs) {
      if (output === null) continue
      createInterface({ input: output }).on('line', (line) => {
        said.push(line)
        if (said.length > LAST_WORDS) said.shift()
        if (isReady(line)) resolve(true)
      })
    }
  })
}

async function askUntilReady({ askReady }: Unheard, isRunning: () => boolean): Promise<boolean> {
  while (isRunning()) {
    if (await askReady()) return true
    await wait(ASK_EVERY_MS)
  }
  return false
}

async function refuseLateStart(
  { name, readyWithinMs }: ServerStart,
  ready: Promise<boolean>,
  said: readonly string[],
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, readyWithinMs, false)
  })
  const isStarted = await Promise.race([ready, tooLate]).finally(() => clearTimeout(timer))
  if (isStarted) return
  throw new Error(
    said.length === 0
      ? `${name} did not start, and said nothing that was read`
      : `${name} did not start:\n${said.join('\n')}`,
  )
}

/** Blocks: nothing else runs any more while a process exits. Short, since whoever sent the signal may soon send SIGKILL. */
function endBeforeExit(pid: number, signal: NodeJS.Signals): void {
  const members = listTree(pid).map((member) => member.pid)
  signalTree(pid, 'SIGCONT')
  if (signal !== 'SIGKILL') {
    const clock = new Int32Array(new SharedArrayBuffer(4))
    sendSignal(pid, signal)
    for (let tries = 0; tries < 50 && listTree(pid).length > 0; tries += 1) Atomics.wait(clock, 0, 0, 20)
    if (listTree(pid).length === 0) return
  }
  for (const member of members) sendSignal(member, 'SIGKILL')
}

/** Makes an interrupted process exit, so that what is to happen at its exit does. */
function exitOnSignals(): void {
  for (const signal of SIGNALS) {
    if (!process.listeners(signal).includes(exitOnSignal)) process.on(signal, exitOnSignal)
  }
}

function exitOnSignal(signal: NodeJS.Signals): void {
  process.exit(EXIT_CODES[signal] ?? 1)
}
