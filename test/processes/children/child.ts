import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A child process that prints one line for each line that it reads. */
export interface Child {
  readonly process: ChildProcess
  /** Resolves to the next printed line; throws if the process ends before. */
  nextLine(): Promise<string>
  /** Resolves to the next line that it printed before its end, if any. */
  lineLeft(): Promise<string | undefined>
  /** Sends a line and resolves to the next printed one. */
  ask(line: string): Promise<string>
  /** Kills it with SIGKILL, and waits for its end. */
  kill(): Promise<void>
}

/** Starts one of the scripts in this folder. */
export function startChild(script: string, ...args: string[]): Child {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  const lineLeft = async (): Promise<string | undefined> => {
    const { value, done } = await lines.next()
    return done === true ? undefined : value
  }
  const nextLine = async (): Promise<string> => {
    const line = await lineLeft()
    if (line === undefined) throw new Error(`${script} ended early`)
    return line
  }
  const ask = (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`)
    return nextLine()
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return { process: child, nextLine, lineLeft, ask, kill }
}
