import { constants } from 'node:os'

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

/** The name of a signal; undefined for a number that no signal has. */
export function nameSignal(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, known]) => known === number)?.[0]
}
