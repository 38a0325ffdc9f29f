import type { Duplex } from 'node:stream'
import { SandboxFailure } from './sandbox.ts'
import { type End, nameSignal, type Running } from './start-run.ts'

/** A process for the launcher to start. All paths are the worker's. */
export interface LauncherRequest {
  /** The first word is an absolute path. */
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly cwd: string
  /** Files to which the process writes 0, to join control groups. */
  readonly joinFiles: readonly string[]
  readonly limits: readonly KernelLimit[]
  /** True: it gets a new session keyring. */
  readonly hasKeyring: boolean
  /** Files of namespaces in the order in which it enters them. */
  readonly namespaceFiles: readonly string[]
  /** Its user and group; undefined: the worker's. */
  readonly userId: number | undefined
  /** Its descriptors; 3 is for its status. */
  readonly descriptors: readonly OpenedDescriptor[]
}

/** A limit of the kernel by its number; a soft limit above the hard one is lowered to it. */
export interface KernelLimit {
  readonly resource: number
  readonly soft?: number
  readonly hard?: number
}

interface OpenedDescriptor {
  readonly number: number
  readonly mode: 'r' | 'w'
  readonly path: string
}

export type Launcher = ReturnType<typeof createLauncher>

interface Run {
  readonly onOpened: (pid: number | undefined) => void
  readonly resolve: (end: End & { text: string }) => void
  readonly reject: (err: Error) => void
  isOpened: boolean
}

const KILLED_WITHIN_MS = 10_000
const LOST = 'the launcher of programs has ended'
const EXIT_CODE_SHIFT = 8
const SIGNAL_MASK = 0x7f

/** The launcher behind `channel`: it starts processes without copying the worker's own. */
export function createLauncher(channel: Duplex) {
  const runs = new Map<string, Run>()
  let count = 0
  let isLost = false
  const lose = () => {
    isLost = true
    for (const run of runs.values()) {
      open(run, undefined)
      run.reject(new SandboxFailure(LOST))
    }
    runs.clear()
  }
  const take = ([type, id = '', number, text = '']: readonly string[]) => {
    const run = runs.get(id)
    if (run === undefined) return
    open(run, type === 'started' ? Number(number) : undefined)
    if (type !== 'ended') return
    runs.delete(id)
    run.resolve({ ...readEnd(Number(number)), text: text.trim() })
  }
  channel.on('data', createMessageReader(take))
  channel.on('error', lose)
  channel.once('close', lose)
  return {
    hasEnded: () => isLost,
    /** Calls `onOpened` when the launcher has opened the descriptors, or cannot. */
    start(request: LauncherRequest, onOpened: Run['onOpened']): Running {
      const id = String(++count)
      const message = encodeMessage(listFields(id, request))
      const ended = new Promise<End & { text: string }>((resolve, reject) => {
        if (isLost) {
          onOpened(undefined)
          reject(new SandboxFailure(LOST))
          return
        }
        runs.set(id, { onOpened, resolve, reject, isOpened: false })
        channel.write(message)
      })
      return {
        ended,
        kill() {
          if (!runs.has(id)) return
          channel.write(encodeMessage(['kill', id]))
          // A launcher that is stopped would never answer: with its channel, it is given up.
          setTimeout(() => void (runs.has(id) && channel.destroy()), KILLED_WITHIN_MS).unref()
        },
        readTexts: async () => sortText((await ended).text),
      }
    },
  }
}

function open(run: Run, pid: number | undefined): void {
  if (run.isOpened) return
  run.isOpened = true
  run.onOpened(pid)
}

const MESSAGE = 'launcher: '

/** The launcher writes its message where bubblewrap would write its status. */
function sortText(text: string) {
  const isMessage = text.startsWith(MESSAGE)
  return { status: isMessage ? '' : text, messages: isMessage ? text : '' }
}

function listFields(id: string, request: LauncherRequest): string[] {
  const { descriptors, limits, environment, userId } = request
  const list = (name: string, values: readonly (string | number)[]) =>
    values.map((value) => `${name}=${value}`)
  const limitTexts = limits.map(({ resource, soft, hard }) => [resource, soft, hard].join(':'))
  const opened = descriptors.map(({ number, mode, path }) => `${number}:${mode}:${path}`)
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  return [
    'run',
    ...list('id', [id]),
    ...list('keyring', request.hasKeyring ? [1] : []),
    ...list('join', request.joinFiles),
    ...list('limit', limitTexts),
    ...list('enter', request.namespaceFiles),
    ...list('cwd', [request.cwd]),
    ...list('user', userId === undefined ? [] : [userId]),
    ...list('open', opened),
    ...list('env', variables),
    ...list('argv', request.argv),
  ]
}

/** Reads what `wait` returned. */
function readEnd(status: number): End {
  const number = status & SIGNAL_MASK
  if (number === 0) return { exitCode: status >> EXIT_CODE_SHIFT, signal: null }
  return { exitCode: null, signal: nameSignal(number) ?? 'SIGKILL' }
}

/**
 * Makes a message to the launcher. Like those that it sends, it is a text with its length before
 * it, in which each field has its length before it. Throws for NUL: it would cut a word short.
 */
function encodeMessage(fields: readonly string[]): Buffer {
  if (fields.some((field) => field.includes('\0'))) throw new Error('a command or its environment has a NUL')
  return addLength(Buffer.concat(fields.map((field) => addLength(Buffer.from(field)))))
}

/** Calls `take` with the fields of each complete message in the bytes that it gets. */
function createMessageReader(take: (fields: readonly string[]) => void): (bytes: Buffer) => void {
  let received: Buffer = Buffer.alloc(0)
  return (bytes) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
      const end = 4 + received.readUInt32BE(0)
      const message = received.subarray(4, end)
      received = received.subarray(end)
      take(splitFields(message))
    }
  }
}

function addLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function splitFields(message: Buffer): string[] {
  const fields: string[] = []
  for (let start = 0; start < message.length; ) {
    const end = start + 4 + message.readUInt32BE(start)
    fields.push(message.toString('utf8', start + 4, end))
    start = end
  }
  return fields
}
