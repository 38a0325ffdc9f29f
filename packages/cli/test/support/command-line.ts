import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { makeTemporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { run } from '../../src/run.ts'

export interface Finished {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface Invocation {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Ctrl-C: emits `SIGINT`. */
  readonly interrupts?: EventEmitter
  /** The streams that are terminals; none by default. */
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[]
}

/** Runs one command in this process. Its environment is only `env`. */
export async function judge(argv: readonly string[], options: Invocation = {}): Promise<Finished> {
  const { env = {}, stdin = '', terminals = [], interrupts = new EventEmitter() } = options
  const open = (name: 'stdin' | 'stdout' | 'stderr') =>
    Object.assign(new PassThrough(), { isTTY: terminals.includes(name), columns: 80 })
  const io = { stdin: open('stdin'), stdout: open('stdout'), stderr: open('stderr'), env, interrupts }
  const outputs = Promise.all([text(io.stdout), text(io.stderr)])
  io.stdin.end(stdin)
  const exitCode = await run(argv, io)
  io.stdout.end()
  io.stderr.end()
  const [stdout, stderr] = await outputs
  return { exitCode, stdout, stderr }
}

/**
 * Runs a command with `--json`; resolves to its document. Fails unless the exit code is `exitCode`.
 */
export async function judgeJson(
  argv: readonly string[],
  options: Invocation = {},
  exitCode = 0,
): Promise<ReturnType<typeof JSON.parse>> {
  const finished = await judge([...argv, '--json'], options)
  if (finished.exitCode !== exitCode) throw new Error(`exit code ${finished.exitCode}: ${finished.stderr}`)
  return JSON.parse(finished.stdout)
}

/**
 * Makes an environment with a folder of its own for the tokens, which is removed after the test.
 */
export async function makeEnvironment(url: string): Promise<{ XDG_CONFIG_HOME: string; JUDGE_URL: string }> {
  return { XDG_CONFIG_HOME: await makeTemporaryFolder(), JUDGE_URL: url }
}
