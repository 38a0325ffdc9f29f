import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { SandboxFailure } from './sandbox.ts'

/** Paths of util-linux commands. */
export interface NamespaceTools {
  readonly unshare: string
  readonly nsenter: string
}

/** A mount namespace. Its keeper, a waiting shell, ends with the worker. */
export interface Namespace {
  hasEnded(): boolean
  /** The worker's path of a path in the namespace. */
  outerPath(path: string): string
  /** A command prefix that enters the namespace. */
  readonly enter: readonly string[]
  /** What `enter` enters, for a process that does so by itself. */
  readonly files: readonly string[]
  /** Descriptor 3 of the starter. */
  readonly channel: Duplex | undefined
  /** Ends the keeper. Resolves to the reason of a failure, else to undefined. */
  close(): Promise<string | undefined>
}

export interface NamespaceOptions {
  readonly tools: NamespaceTools
  /** The mounts of this namespace are copied; default: the machine's. */
  readonly parent?: Namespace
  /** True: in a user namespace, so that a worker without root rights may mount. */
  readonly isUserNamespace: boolean
  /** A command that starts the keeper's command in its process, and uses descriptor 3. */
  readonly starter?: readonly string[]
  /** Shell commands with the arguments `$1`, `$2` … */
  readonly script: string
  readonly args: readonly string[]
}

/** Resolves after the keeper's end, to the reason if it could not be started. */
type Ending = Promise<string | undefined>

const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
// Ctrl-C reaches all processes of the worker, but running programs need the keeper.
const IGNORE_SIGNALS = "trap '' INT TERM HUP"
const READY = 'ready\n'
const START_MS = 60_000
const END_MS = 2000

/** Makes a mount namespace. Throws `SandboxFailure` with the messages of the script. */
export async function createNamespace(options: NamespaceOptions): Promise<Namespace> {
  const { tools, parent, isUserNamespace, starter = [], script, args } = options
  // The parent has a user namespace already.
  const users = isUserNamespace && !parent ? ['--user', '--map-root-user'] : []
  // Slave: unmounting on the machine unmounts here too.
  const kinds = [...users, '--mount', '--propagation', 'slave']
  const wait = `{ ${script}; } && ${IGNORE_SIGNALS} && echo ready && read -r _`
  const shell = ['/bin/sh', '-c', wait, 'sh', ...args]
  const line = [...starter, ...(parent?.enter ?? []), tools.unshare, ...kinds, '--', ...shell]
  const [command = '', ...words] = line
  const stdio = ['pipe', 'pipe', 'pipe', ...(starter.length > 0 ? (['pipe'] as const) : [])] as const
  const keeper = spawn(command, words, { env: { PATH }, cwd: '/', detached: true, stdio: [...stdio] })
  const ended = once(keeper, 'close').then(
    () => undefined,
    (err: Error) => err.message,
  )
  try {
    await waitUntilReady(keeper, ended)
  } catch (err) {
    keeper.kill('SIGKILL')
    throw err
  }
  return {
    hasEnded: () => keeper.exitCode !== null || keeper.signalCode !== null,
    outerPath: (path) => `/proc/${keeper.pid}/root${path}`,
    enter: [
      ...[tools.nsenter, '--target', String(keeper.pid), '--mount'],
      ...(isUserNamespace ? ['--user', '--preserve-credentials'] : []),
      '--',
    ],
    files: [...(isUserNamespace ? ['user'] : []), 'mnt'].map((name) => `/proc/${keeper.pid}/ns/${name}`),
    channel: findChannel(keeper),
    close: () => endKeeper(keeper, ended),
  }
}

function findChannel({ stdio: [, , , stream] }: ChildProcess): Duplex | undefined {
  return stream instanceof Duplex ? stream : undefined
}

async function waitUntilReady(keeper: ChildProcess, ended: Ending): Promise<void> {
  let output = ''
  let messages = ''
  keeper.stderr?.on('data', (chunk: Buffer) => {
    messages += chunk.toString()
  })
  const isReady = new Promise<string>((resolve) => {
    keeper.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output === READY) resolve(READY)
    })
  })
  const outcome = await Promise.race([
    isReady,
    ended.then((reason) => reason ?? messages.trim()),
    sleep(START_MS, 'no response', { ref: false }),
  ])
  if (outcome !== READY) throw new SandboxFailure(`a mount namespace could not be made: ${outcome}`)
}

async function endKeeper(keeper: ChildProcess, ended: Ending): Promise<string | undefined> {
  const hasEnded = () => Promise.race([ended.then(() => true), sleep(END_MS, false, { ref: false })])
  keeper.stdin?.end()
  if (await hasEnded()) return undefined
  keeper.kill('SIGKILL')
  return (await hasEnded()) ? undefined : `the process ${keeper.pid} does not end`
}
