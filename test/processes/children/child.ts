import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A child process that prints one line for each line that it reads. */
export type Child = ReturnType<typeof startChild>

/** Starts one of the scripts in this folder. */
export function startChild(script: string, ...args: string[]) {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  /** Resolves to the next line that it printed before its end, if any. */
  const lineLeft = async (): Promise<string | undefined> => {
    const { value, done } = await lines.next()
    return done === true ? undefined : value
  }
  /** Resolves to the next printed line; throws if the process ends before. */
  const nextLine = async (): Promise<string> => {
    const line = await lineLeft()
    if (line === undefined) throw new Error(`${script} ended early`)
    return line
  }
  /** Sends a line and resolves to the next printed one. */
  const ask = (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`)
    return nextLine()
  }
  /** Kills it with SIGKILL, and waits for its end. */
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return { process: child, nextLine, lineLeft, ask, kill }
}
