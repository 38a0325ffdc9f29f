import { execFile } from 'node:child_process'
import { constants, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SandboxFailure } from './sandbox.ts'

/** One pipe from a program to the worker. */
export interface OutputPipe {
  /** The program's descriptor. The caller closes it. */
  readonly writeEnd: number
  /** The program's output; ends after every process has closed its descriptor. */
  readonly output: Socket
}

export interface OutputPipes {
  open(): Promise<OutputPipe>
}

const MADE_AT_ONCE = 32
// Any user may write, so that a program can open /dev/stdout.
const MODE = '0622'

/**
 * Makes named pipes in `folder`: a program cannot open Node's own pipes (sockets) by path. Each is
 * used once: its times and mode would tell a later program about an earlier one.
 */
export function createOutputPipes(folder: string): OutputPipes {
  let paths: string[] = []
  let count = 0
  let making: Promise<void> | undefined
  const makeMore = async () => {
    const names = Array.from({ length: MADE_AT_ONCE }, () => join(folder, `pipe-${++count}`))
    await promisify(execFile)('mkfifo', ['-m', MODE, ...names]).catch((err: Error) => {
      throw new SandboxFailure(`mkfifo (package coreutils) failed: ${err.message}`)
    })
    paths = [...paths, ...names]
  }
  const takePath = async (): Promise<string> => {
    for (;;) {
      const path = paths.pop()
      if (path !== undefined) return path
      making ??= makeMore().finally(() => {
        making = undefined
      })
      await making
    }
  }
  return { open: async () => openPipe(await takePath()) }
}

function openPipe(path: string): OutputPipe {
  // Without a reader, opening for writing blocks.
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const output = new Socket({ fd: readEnd, readable: true, writable: false })
  try {
    return { writeEnd: openSync(path, constants.O_WRONLY), output }
  } catch (err) {
    output.destroy()
    throw err
  } finally {
    rmSync(path, { force: true })
  }
}
