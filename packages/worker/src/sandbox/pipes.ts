import { execFile } from 'node:child_process'
import { chmodSync, closeSync, constants, openSync, rmSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { failAs } from './sandbox.ts'

/** One pipe from a program to the worker. */
export interface OutputPipe {
  /** The program's descriptor. The caller closes it. */
  readonly writeEnd: number
  /** The program's output; ends after every process has closed its descriptor. */
  readonly output: Socket
}

/** One pipe from the worker to a program. */
export interface InputPipe {
  /** The program's descriptor. The caller closes it. */
  readonly readEnd: number
  /** Writing fails after every process has closed its descriptor. `destroy` ends the input. */
  readonly input: Socket
}

/** Lets a program wait in its sandbox. */
export interface StartGate {
  readonly descriptor: number
  /** Lets it start, unless the gate is closed. */
  open(): void
  /** It can no longer start. */
  close(): void
}

export type Pipes = ReturnType<typeof createPipes>

// Starting mkfifo copies the worker's process, which takes some milliseconds.
const MADE_AT_ONCE = 128
// The usual size of a pipe's buffer.
const PIPE_BYTES = 64 * 1024
// Any user may write to an output and read an input: programs can open /dev/stdout and /dev/stdin.
const OUTPUT_MODE = '0622'
const INPUT_MODE = 0o644

/**
 * Makes named pipes in `folder`: a program cannot open Node's own pipes (sockets) by path. Each is
 * used once: its times and mode would tell a later program about an earlier one.
 */
export function createPipes(folder: string) {
  let paths: string[] = []
  let count = 0
  let making: Promise<void> | undefined
  const makeMore = async () => {
    const names = Array.from({ length: MADE_AT_ONCE }, () => join(folder, `pipe-${++count}`))
    const made = promisify(execFile)('mkfifo', ['-m', OUTPUT_MODE, ...names])
    await made.catch(failAs('mkfifo (package coreutils) failed'))
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
  return {
    /**
     * With `take`, one buffer is used again for each part of the output: `output` emits no data and
     * pauses until its `resume`.
     */
    openOutput: async (take?: (part: Buffer) => void) => openOutput(await takePath(), take),
    openInput: async () => openInput(await takePath()),
    openGate: async () => openGate(await takePath()),
  }
}

function openOutput(path: string, take: ((part: Buffer) => void) | undefined): OutputPipe {
  // Without a reader, opening for writing blocks.
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const onread = take && { buffer: Buffer.alloc(PIPE_BYTES), callback: makeCallback(take) }
  const output = new Socket({ fd: readEnd, readable: true, writable: false, ...(onread && { onread }) })
  try {
    return { writeEnd: openSync(path, constants.O_WRONLY), output }
  } catch (err) {
    output.destroy()
    throw err
  } finally {
    rmSync(path, { force: true })
  }
}

function makeCallback(take: (part: Buffer) => void) {
  return (bytes: number, buffer: Uint8Array): boolean => {
    take(Buffer.from(buffer.buffer, buffer.byteOffset, bytes))
    return false
  }
}

function openGate(path: string): StartGate {
  try {
    // One descriptor for both ends: opening does not block.
    const descriptor = openSync(path, constants.O_RDWR)
    let isClosed = false
    return {
      descriptor,
      // After its end, another file may have this descriptor.
      open: () => void (isClosed || writeSync(descriptor, '\n')),
      close() {
        isClosed = true
        closeSync(descriptor)
      },
    }
  } finally {
    rmSync(path, { force: true })
  }
}

function openInput(path: string): InputPipe {
  // Opening for writing needs a reader. The program's own descriptor must block.
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    chmodSync(path, INPUT_MODE)
    const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    const input = new Socket({ fd: writer, readable: false, writable: true })
    try {
      return { readEnd: openSync(path, constants.O_RDONLY), input }
    } catch (err) {
      input.destroy()
      throw err
    }
  } finally {
    closeSync(reader)
    rmSync(path, { force: true })
  }
}
