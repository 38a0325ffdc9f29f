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
