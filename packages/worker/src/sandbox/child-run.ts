import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { succeeds } from '../shared/try-or.ts'
import { collectInMemory } from './collect-output.ts'
import type { OutputPipe } from './pipes.ts'
import { failAs } from './sandbox.ts'
import type { End, Running, StartRequest } from './start-run.ts'

/**
 * A command line that starts the program. It gets the program's stderr as descriptor 5 and moves it
 * to 2 at the end, so that its own messages stay apart.
 */
export interface ChildRun {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
}

const TEXT_BYTES = 64 * 1024

/** See `Launch.start`. */
export function startChild(run: ChildRun, { streams, meter }: StartRequest, errors: OutputPipe): Running {
  const child = spawnRun(run, streams, errors)
  const messages = collectInMemory(child.stderr, TEXT_BYTES, () => {})
  const status = collectInMemory(readableAt(child, 3), TEXT_BYTES, () => {})
  if (child.pid !== undefined) meter.attach(child.pid)
  return {
    ended: waitForEnd(child),
    kill: () => killGroup(child),
    async readTexts() {
      await Promise.all([messages.closed(), status.closed()])
      return { status: status.read().toString(), messages: messages.read().toString() }
    },
  }
}

function spawnRun(
  { argv: [command = '', ...args], cwd, environment }: ChildRun,
  { stdin, stdout, isConnected, closeEnds }: StartRequest['streams'],
  errors: OutputPipe,
): ChildProcess {
  // Descriptors 2 to 5: messages, status, nothing and the program's stderr.
  const others = ['pipe', 'pipe', 'ignore', errors.writeEnd] as const
  try {
    return spawn(command, args, {
      ...{ cwd, env: { ...environment }, detached: true },
      stdio: isConnected ? ['ignore', 'ignore', ...others, stdin, stdout] : [stdin, stdout, ...others],
    })
  } catch (err) {
    errors.output.destroy()
    throw err
  } finally {
    closeSync(errors.writeEnd)
    closeEnds()
  }
}

async function waitForEnd(child: ChildProcess): Promise<End> {
  await once(child, 'exit').catch(failAs('the sandbox could not be started'))
  return { exitCode: child.exitCode, signal: child.signalCode }
}

function killGroup(child: ChildProcess): void {
  // After its end another process may have its number.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const group = -child.pid
  if (!succeeds(() => process.kill(group, 'SIGKILL'))) child.kill('SIGKILL')
}

function readableAt(child: ChildProcess, index: number): Readable | null {
  const stream = child.stdio[index]
  return stream && 'read' in stream ? stream : null
}
