import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { run } from '../../src/run.ts'

type Stream = 'stdin' | 'stdout' | 'stderr'

export interface Invocation {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Ctrl-C: emits `SIGINT`. */
  readonly interrupts?: EventEmitter
  /** The streams that are terminals; none by default. */
  readonly terminals?: readonly Stream[]
}

function openStreams(terminals: readonly Stream[]) {
  const open = (name: Stream) =>
    Object.assign(new PassThrough(), { isTTY: terminals.includes(name), columns: 80 })
  return { stdin: open('stdin'), stdout: open('stdout'), stderr: open('stderr') }
}

/** Runs one command in this process. Its environment is only `env`. */
export async function judge(argv: readonly string[], options: Invocation = {}) {
  const { env = {}, stdin = '', terminals = [], interrupts = new EventEmitter() } = options
  const io = { ...openStreams(terminals), env, interrupts }
  const outputs = Promise.all([text(io.stdout), text(io.stderr)])
  io.stdin.end(stdin)
  const exitCode = await run(argv, io)
  io.stdout.end()
  io.stderr.end()
  const [stdout, stderr] = await outputs
  return { exitCode, stdout, stderr }
}

const textWith = (part: string | RegExp) =>
  typeof part === 'string' ? expect.stringContaining(part) : expect.stringMatching(part)

/** Matches a command that has succeeded and printed this. */
export const prints = (part: string | RegExp = '') => ({ exitCode: 0, stdout: textWith(part) })

/** Matches a command that has failed with this on stderr. */
export const fails = (exitCode: number, part: string | RegExp = '') => ({ exitCode, stderr: textWith(part) })

/** Starts a command in a terminal; `printed` grows while it runs. */
export function startInTerminal(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const interrupts = new EventEmitter()
  const io = { ...openStreams(['stdin', 'stdout', 'stderr']), env, interrupts }
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    io[name].on('data', (chunk: Buffer) => {
      printed[name] += chunk.toString()
    })
  return { printed, interrupts, stdin: io.stdin, exitCode: run(argv, io) }
}

/** Emits `SIGINT` as soon as the command waits for it. */
export function interruptAtOnce(): EventEmitter {
  const interrupts = new EventEmitter()
  return interrupts.once('newListener', () => setImmediate(() => interrupts.emit('SIGINT')))
}

/** Runs a command with `--json`; resolves to its document. Fails unless it ends with `exitCode`. */
export async function judgeJson(argv: readonly string[], options: Invocation = {}, exitCode = 0) {
  const finished = await judge([...argv, '--json'], options)
  if (finished.exitCode !== exitCode) throw new Error(`exit code ${finished.exitCode}: ${finished.stderr}`)
  return JSON.parse(finished.stdout)
}

/** Makes an environment with its own folder for the tokens, which is removed after the test. */
export const makeEnvironment = async (url: string) => {
  return { XDG_CONFIG_HOME: await makeTemporaryFolder(), JUDGE_URL: url }
}
