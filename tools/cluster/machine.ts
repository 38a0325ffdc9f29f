import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listTree, sendSignal, signalTree } from '../local-servers/process-tree.ts'
import { startServerProcess } from '../local-servers/server-process.ts'
import { connectMachine, plugCable, pullCable } from './network.ts'
import type { Place } from './places.ts'

/** A machine of the test cluster: namespaces of its own, and a folder as its disk. */
export type Machine = Place & ReturnType<typeof createMachine>

export interface Program {
  readonly name: string
  readonly command: readonly string[]
  /** Default: root. */
  readonly user?: string
  readonly variables?: Readonly<Record<string, string>>
  /** Receives each line of output, which otherwise goes to a file. */
  readonly onLine?: (line: string) => void
}

type Running = ReturnType<typeof startProgram>

const INIT = fileURLToPath(new URL('./machine-init.sh', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const NAMESPACES = ['--net', '--mount', '--uts', '--ipc', '--pid']
const END_WITHIN_MS = 60_000

/** Describes a machine that is off. `folder` keeps its disk and the output of its programs. */
export function createMachine(place: Place, folder: string) {
  const { name, address } = place
  let power: Power | undefined
  const enter = () => {
    if (!power?.isRunning()) throw new Error(`${name} is off`)
    return ['nsenter', '--target', String(power.firstProcess), '--all', `--wd=${root}`]
  }
  const programs = createPrograms(name, join(folder, 'output'), enter)
  return {
    ...place,
    ...programs,
    /** Switches it on, and connects it to the network. */
    powerOn: async () => {
      await mkdir(join(folder, 'output'), { recursive: true })
      power = await startPower(name, join(folder, 'disk'))
      await connectMachine(name, address, power.firstProcess)
    },
    /**
     * Ends the machine: no packet leaves it any more, and all of its processes are killed. The disk
     * stays, with everything that the programs have written: a loss of power would lose more.
     */
    powerOff: async () => {
      // A machine whose start has failed has no cable.
      if (power?.isRunning()) await pullCable(name).catch(() => {})
      await power?.killAll()
      // They have ended, but what waits for them may be stopped.
      await programs.killPrograms()
    },
    /** Process 1 of the machine, as the cluster's namespaces count it; 0 if it was never on. */
    firstProcess: () => power?.firstProcess ?? 0,
    isOn: () => power?.isRunning() === true,
    /** Stops all of its processes until `thaw`. Its kernel still acknowledges packets. */
    freeze: () => {
      power?.freeze()
      programs.freezePrograms()
    },
    thaw: () => {
      programs.thawPrograms()
      power?.thaw()
    },
    cutOff: () => pullCable(name),
    reconnect: () => plugCable(name),
    /** Runs a command to its end. Returns its output; throws if it fails. */
    run: async (...command: string[]) => {
      const [file = '', ...args] = [...enter(), ...command]
      const { stdout } = await promisify(execFile)(file, args, { timeout: END_WITHIN_MS })
      return stdout
    },
  }
}

type Power = Awaited<ReturnType<typeof startPower>>

async function startPower(name: string, disk: string) {
  const power = await startServerProcess({
    ...{ name, command: 'unshare', options: { env: { PATH: process.env.PATH } } },
    args: [...NAMESPACES, '--fork', '--kill-child=SIGKILL', '--mount-proc', INIT, name, disk],
    isReady: (line) => line === 'ready',
    lastSignal: 'SIGKILL',
  })
  return { ...power, firstProcess: listTree(power.pid)[1]?.pid ?? 0 }
}

/** The programs of a machine, whose output goes to `folder`. `enter` begins their commands. */
function createPrograms(machine: string, folder: string, enter: () => readonly string[]) {
  const programs = new Map<string, Running>()
  const each = <T>(act: (program: Running) => T) => [...programs.values()].map(act)
  return {
    start: (program: Program) => {
      if (programs.get(program.name)?.isRunning()) throw new Error(`${machine} runs ${program.name} already`)
      const running = startProgram(enter(), program, folder)
      programs.set(program.name, running)
      return running
    },
    isRunning: () => programs.size > 0 && each((program) => program.isRunning()).every(Boolean),
    program: (wanted: string) => {
      const running = programs.get(wanted)
      if (running === undefined) throw new Error(`${machine} does not run ${wanted}`)
      return running
    },
    stopPrograms: async () => {
      await Promise.all(each((program) => program.stop()))
    },
    killPrograms: async () => {
      await Promise.all(each((program) => program.killAll()))
      programs.clear()
    },
    freezePrograms: () => void each((program) => program.freeze()),
    thawPrograms: () => void each((program) => program.thaw()),
  }
}

function startProgram(enter: readonly string[], program: Program, folder: string) {
  const { name, command, user, variables = {}, onLine } = program
  const as = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups']
  const [file = '', ...args] = [...enter, ...as, ...command]
  const output = openSync(join(folder, `${name}.log`), 'a')
  const child = spawn(file, args, {
    env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LANG: 'C.UTF-8', ...variables },
    stdio: ['ignore', onLine === undefined ? output : 'pipe', output],
  })
  closeSync(output)
  if (onLine !== undefined && child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', onLine)
  let isRunning = true
  const ended = once(child, 'exit').then(() => {
    isRunning = false
  })
  // nsenter waits for the program, which is its only child.
  const signal = (wanted: NodeJS.Signals) => {
    const pid = listTree(child.pid ?? 0)[1]?.pid
    // It has just ended: 0 would be the group of this process.
    if (pid !== undefined) sendSignal(pid, wanted)
  }
  return {
    name,
    ended,
    isRunning: () => isRunning,
    /** The processes of the program, as this process sees them. */
    processes: () => listTree(child.pid ?? 0).slice(1),
    freeze: () => signalTree(child.pid ?? 0, 'SIGSTOP'),
    /** The program first: nsenter stops itself when it sees that its child is stopped. */
    thaw: () => {
      for (const { pid } of listTree(child.pid ?? 0).reverse()) sendSignal(pid, 'SIGCONT')
    },
    /** Ends it in order (SIGTERM), or kills it after a minute. */
    stop: async () => {
      if (isRunning) signal('SIGTERM')
      const timer = setTimeout(() => signal('SIGKILL'), END_WITHIN_MS)
      await ended.finally(() => clearTimeout(timer))
    },
    killAll: async () => {
      if (isRunning) signalTree(child.pid ?? 0, 'SIGKILL')
      await ended
    },
  }
}
