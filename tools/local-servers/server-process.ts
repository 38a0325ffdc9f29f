import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chown, mkdtemp } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { listTree, readTreeCpuMs, sendSignal, signalTree } from './process-tree.ts'

/** A server that prints that it is ready, or a polled server, whose output is discarded. */
export type ServerCommand = {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>
  /** The signal that ends the server when this process ends first. */
  readonly lastSignal: NodeJS.Signals
} & ({ readonly isReady: (line: string) => boolean } | { readonly askReady: () => Promise<boolean> })

interface Running {
  readonly pid: number
  readonly ended: Promise<number | null>
  isRunning: boolean
}

/** They end what hangs, also on a busy machine. */
const READY_WITHIN_MS = 300_000
const END_WITHIN_MS = 120_000
const LINES_IN_ERROR = 30
const POLL_MS = 50
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/** Starts a server and waits until it is ready. It ends with this process, also after a signal. */
export async function startServerProcess(command: ServerCommand) {
  let running = await spawnServer(command)
  return {
    get pid() {
      return running.pid
    },
    /** Resolves with the exit code when the process ends, with null after a signal. */
    get ended() {
      return running.ended
    },
    isRunning: () => running.isRunning,
    start: async () => {
      if (!running.isRunning) running = await spawnServer(command)
    },
    /** Sends a signal and waits for the end. Kills the whole tree if it does not come. */
    end: async (signal: NodeJS.Signals) => {
      const ending = running
      if (ending.isRunning) sendSignal(ending.pid, signal)
      const timer = setTimeout(() => void killTree(ending), END_WITHIN_MS)
      return ending.ended.finally(() => clearTimeout(timer))
    },
    killAll: () => killTree(running),
    /** Stops the whole tree (SIGSTOP) until `thaw`. */
    freeze: () => signalTree(running.pid, 'SIGSTOP'),
    thaw: () => signalTree(running.pid, 'SIGCONT'),
    readCpuMs: () => readTreeCpuMs(running.pid),
  }
}

async function spawnServer(command: ServerCommand): Promise<Running> {
  const child = spawn(command.command, command.args, {
    ...command.options,
    stdio: 'askReady' in command ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    // Its own session: Ctrl-C reaches only this process, which then ends the server in order.
    detached: true,
  })
  const { pid } = child
  if (pid === undefined)
    throw new Error(`${command.name} cannot be started`, { cause: await once(child, 'error') })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const running = { pid, ended, isRunning: true }
  const endNow = () => endBeforeExit(pid, command.lastSignal)
  // Before the listeners that remove folders: a server that still runs would write new files.
  process.prependOnceListener('exit', endNow)
  exitOnSignals()
  void ended.then(() => {
    running.isRunning = false
    process.removeListener('exit', endNow)
  })
  const output: string[] = []
  const timeout = new AbortController()
  const isReady = await Promise.race([
    waitUntilReady(command, child, output, running),
    ended.then(() => false),
    sleep(READY_WITHIN_MS, false, { signal: timeout.signal }),
  ]).finally(() => timeout.abort())
  if (isReady) return running
  await killTree(running)
  throw new Error([`${command.name} did not start`, ...output].join('\n'))
}

async function killTree({ isRunning, pid, ended }: Running): Promise<void> {
  if (isRunning) signalTree(pid, 'SIGKILL')
  await ended
}

/** Collects the last lines of output until the end: a full pipe would stop the server. */
async function waitUntilReady(
  command: ServerCommand,
  child: ChildProcess,
  output: string[],
  running: Running,
) {
  if ('askReady' in command) {
    while (running.isRunning && !(await command.askReady())) await sleep(POLL_MS)
    return running.isRunning
  }
  return new Promise<boolean>((resolve) => {
    for (const input of [child.stdout, child.stderr]) {
      if (input === null) continue
      createInterface({ input }).on('line', (line) => {
        output.push(line)
        if (output.length > LINES_IN_ERROR) output.shift()
        if (command.isReady(line)) resolve(true)
      })
    }
  })
}

/** Blocks for at most a second: this process is about to exit. */
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

function exitOnSignals(): void {
  for (const signal of SIGNALS) {
    if (!process.listeners(signal).includes(exitOnSignal)) process.on(signal, exitOnSignal)
  }
}

function exitOnSignal(signal: NodeJS.Signals): void {
  process.exit(128 + constants.signals[signal])
}

export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Makes a folder for a server's data. It is removed at the latest when this process ends. */
export async function makeServerFolder(name: string, owner?: Owner) {
  const path = await mkdtemp(join(tmpdir(), `judge-${name}-`))
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  const remove = () => {
    process.removeListener('exit', remove)
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', remove)
  return { path, remove }
}
