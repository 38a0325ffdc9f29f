import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { type Collect, collectInMemory, openOutputFile } from './collect-output.ts'
import type { Pipes } from './pipes.ts'
import type { RunRequest } from './sandbox.ts'
import type { Workspace } from './workspace.ts'

/** The stdin and stdout of one run. */
export interface Streams {
  /** The program's descriptors, with a path: programs can open /dev/stdin and /dev/stdout. */
  readonly stdin: number
  readonly stdout: number
  /** The worker's end of stdout. */
  readonly output: Socket
  readonly collect: Collect
  /** True: only the program has the descriptors, and no process around it. */
  readonly isConnected: boolean
  /** Ends the program without an error. */
  readonly stop?: AbortSignal
  /** Called at the start, with a function that tells whether the program still runs. */
  onStart?(isRunning: () => boolean): void
  onEnd?(): void
  /** Closes the program's descriptors, which its processes have inherited. */
  closeEnds(): void
}

export interface StreamOptions {
  readonly workspace: Workspace
  readonly pipes: Pipes
  /** The path by which the worker opens an input. */
  readonly through: ((path: string) => string) | undefined
}

/** Opens the streams of a run, lets `use` run the program, and closes them. */
export async function withStreams<T>(
  { stdin, outputFile }: Pick<RunRequest, 'stdin' | 'outputFile'>,
  { workspace, pipes, through }: StreamOptions,
  use: (streams: Streams) => Promise<T>,
): Promise<T> {
  const file = outputFile === undefined ? undefined : await openOutputFile(outputFile)
  const ends = createEnds()
  try {
    const input = ends.add(await workspace.openInput(stdin, through))
    const { writeEnd, output } = await pipes.openOutput(file?.take)
    ends.add(writeEnd)
    const streams = {
      ...{ stdin: input, stdout: writeEnd, output, isConnected: false },
      ...{ collect: file?.collect ?? collectInMemory, closeEnds: ends.close },
    }
    return await use(streams).finally(() => output.destroy())
  } finally {
    ends.close()
    await file?.close()
  }
}

/** Descriptors that are closed once. */
export function createEnds() {
  const opened = new Set<number>()
  return {
    add(descriptor: number): number {
      opened.add(descriptor)
      return descriptor
    },
    close() {
      for (const descriptor of opened) closeSync(descriptor)
      opened.clear()
    },
  }
}
