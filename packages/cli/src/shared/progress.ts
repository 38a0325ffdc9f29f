import { SingleBar } from 'cli-progress'
import type { Io } from './io.ts'

/** A bar of one long operation. */
export interface Progress {
  /** Adds to the value; `note` replaces the text behind the bar. */
  advance(by: number, note?: string): void
  setTotal(total: number): void
  stop(): void
}

const SILENT: Progress = { advance() {}, setTotal() {}, stop() {} }

/** Starts a bar on stderr. Without a terminal, and with a total of 0, nothing is shown. */
export function startProgress({ stderr }: Io, title: string, total: number, note = ''): Progress {
  if (stderr.isTTY !== true) return SILENT
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
  bar.start(total, 0, { note })
  return {
    advance: (by, text) => bar.increment(by, text === undefined ? {} : { note: text }),
    setTotal: (total) => bar.setTotal(total),
    stop: () => bar.stop(),
  }
}
