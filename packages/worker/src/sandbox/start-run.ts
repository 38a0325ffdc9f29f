import { constants } from 'node:os'
import type { Meter } from './meter.ts'
import type { OutputPipe, StartGate } from './pipes.ts'
import type { Streams } from './streams.ts'

/** How the first process of a run ended. */
export interface End {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** The started first process of a run. */
export interface Running {
  /** Rejects with `SandboxFailure` if it could not be started, or if its end cannot be known. */
  readonly ended: Promise<End>
  /** Kills the process and its group unless it has ended. */
  kill(): void
  /** After the end of all processes: what was written to descriptor 3, and other messages. */
  readTexts(): Promise<{ readonly status: string; readonly messages: string }>
}

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

/** The name of a signal; undefined for a number that no signal has. */
export function nameSignal(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, known]) => known === number)?.[0]
}
