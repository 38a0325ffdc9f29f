import type { Meter } from './meter.ts'
import type { OutputPipe, StartGate } from './pipes.ts'
import type { Running } from './running.ts'
import type { Streams } from './streams.ts'

/** How a run begins. */
export interface Launch {
  /** The number of processes around the program's own, such as bubblewrap's. */
  readonly outerProcesses: number
  /** Starts the processes, and closes the program's ends of its streams and of `errors`. */
  start(request: StartRequest, errors: OutputPipe): Running
  /** Reads the output to descriptor 3; undefined if the program did not start. */
  readStatus(text: string): { readonly exitCode: number | undefined } | undefined
}

/** A run whose launcher makes the sandbox before the program may start. */
export interface GatedStart {
  readonly gate: StartGate
  readonly startWhen: Promise<void>
}

/** What the start of a run needs. */
export interface StartRequest {
  readonly streams: Streams
  readonly meter: Meter
  /** Undefined: the program starts at once. */
  readonly gatedStart?: GatedStart | undefined
}

/** Connected streams have these descriptors until `CONNECT`. */
export const INPUT_DESCRIPTOR = 6
export const OUTPUT_DESCRIPTOR = 7

/** A command prefix for connected streams: the program alone has them, also in a sandbox. */
export const CONNECT = ['/bin/sh', '-c', 'exec "$@" <&6 >&7 6<&- 7>&-', 'sh']
