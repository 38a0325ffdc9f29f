import { SingleBar } from 'cli-progress'
import { makePrintable, makePrintableInColour } from './text.ts'

/** A stream of bytes to a terminal, a pipe or a file. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }

/** The streams and the environment of one command. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  /** Emits `SIGINT` for Ctrl-C. */
  readonly interrupts: Pick<NodeJS.EventEmitter, 'once' | 'off'>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** True if colours may be written to this stream (https://no-color.org). */
export function hasColours(stream: Output, env: Io['env']): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}

/** Writes a result for people, which a writer may have coloured. */
export function printText(stream: Output, text: string): void {
  stream.write(`${makePrintableInColour(text)}\n`)
}

/** Writes a line about the progress to stderr. */
export function printNote({ stderr }: Pick<Io, 'stderr'>, text: string): void {
  stderr.write(`${makePrintable(text)}\n`)
}

/** A bar of one long operation. */
export type Progress = ReturnType<typeof startProgress>

/** Starts a bar on stderr. Without a terminal, and with a total of 0, nothing is shown. */
export function startProgress({ stderr }: Io, title: string, total: number, note = '') {
  const bar = new SingleBar({
    stream: stderr,
    format: `${title} [{bar}] {percentage}% {note}`,
    barsize: 30,
    clearOnComplete: true,
    // With the defaults, Ctrl-C would only stop the bar, and a killed command change the terminal.
    gracefulExit: false,
    linewrap: null,
    hideCursor: null,
  })
  const shown = stderr.isTTY === true ? bar : undefined
  shown?.start(total, 0, { note: makePrintable(note) })
  return {
    /** Adds to the value; a text replaces the one behind the bar. */
    advance: (by: number, text?: string) =>
      shown?.increment(by, text === undefined ? {} : { note: makePrintable(text) }),
    setTotal: (total: number) => shown?.setTotal(total),
    stop: () => shown?.stop(),
  }
}
