import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A real second process, which answers each line that it is sent with one line. */
export interface Child {
  readonly process: ChildProcess
  /** Answers the next line it prints; throws if it ends before. */
  nextLine(): Promise<string>
  /** Answers the next line that it had printed before it ended, if any. */
  lineLeft(): Promise<string | undefined>
  /** Sends a line and answers the next one. */
  ask(line: string): Promise<string>
  /** Kills it as `kill -9` does, and waits until it is gone. */
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
