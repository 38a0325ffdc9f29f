import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { openPipe, type Pipe } from '@judge-data-layer/runtime/judging-pipe'
import type { UserIds } from '../config/service-user.ts'

export interface ChildOptions {
  readonly script: string
  readonly args: readonly string[]
  /** The whole environment. */
  readonly environment: NodeJS.ProcessEnv
  /** The user of the process; undefined keeps the parent's user. */
  readonly user: UserIds | undefined
}

/** How a process has ended. */
export interface ChildEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly ranMs: number
  /** Whether the parent stopped it. */
  readonly isStopped: boolean
  /** Why the process could not be started, or the reason that it sent before its end. */
  readonly failure?: string
}

/** A process with a pipe to this one. */
export interface Child {
  readonly pipe: Pipe
  /** Resolves after the end, also if the process could not be started. */
  readonly ended: Promise<ChildEnd>
  /** Aborted after the end. */
  readonly gone: AbortSignal
  kill(): void
  /** The CPU time that the process has used, in clock ticks; undefined if the system hides it. */
  readCpuTicks(): number | undefined
  /** Sends SIGTERM; kills the process after `timeoutMs`. Resolves after its end. */
  stop(timeoutMs: number): Promise<ChildEnd>
}

/** In characters. Lists of restrictions are long; a log line must not be. */
const LONGEST_REASON = 4000

/**
 * Starts a process in a group of its own: Ctrl-C reaches only the parent, which then stops its
 * children in order. A child whose parent has gone sees the end of the pipe.
 */
export function startChild({ script, args, environment, user }: ChildOptions): Child {
  try {
    const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
      env: environment,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      ...user,
    })
    return followChild(child)
  } catch (err) {
    // For some errors `spawn` throws; for others it emits 'error'.
    return failedChild(String(err))
  }
}

function followChild(child: ChildProcess): Child {
  const startedMs = performance.now()
  const gone = new AbortController()
  const pipe = openPipe(child)
  let isStopped = false
  const ended = new Promise<ChildEnd>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null, failure?: string) => {
      gone.abort()
      const ranMs = performance.now() - startedMs
      resolve({ code, signal, ranMs, isStopped, ...(failure !== undefined && { failure }) })
    }
    let failure: string | undefined
    pipe.onMessage((message) => {
      if (message.kind === 'failed') failure = message.reason.slice(0, LONGEST_REASON)
    })
    // Not 'exit': the pipe may then still hold messages.
    child.once('close', (code, signal) => end(code, signal, failure))
    child.on('error', (err) => {
      // Other errors do not end the process.
      if (child.pid === undefined) end(1, null, String(err))
    })
  })
  return {
    pipe,
    ended,
    gone: gone.signal,
    kill: () => void child.kill('SIGKILL'),
    readCpuTicks: () => readCpuTicks(child.pid),
    stop(timeoutMs) {
      isStopped = true
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
      return ended.finally(() => clearTimeout(timer))
    },
  }
}

function failedChild(failure: string): Child {
  const ended = Promise.resolve({ code: 1, signal: null, ranMs: 0, isStopped: false, failure })
  return {
    pipe: { send: async () => {}, onMessage: () => {}, onEnd: () => {} },
    ended,
    gone: AbortSignal.abort(),
    kill: () => {},
    readCpuTicks: () => undefined,
    stop: () => ended,
  }
}

function readCpuTicks(pid: number | undefined): number | undefined {
  try {
    // After the name, which may contain anything, come the fields from the third on.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return Number(fields?.[11]) + Number(fields?.[12])
  } catch {
    return undefined
  }
}
