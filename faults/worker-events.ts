/** What the instant worker says on its output, a JSON line each. */
export type WorkerEvent =
  | { readonly event: 'ready' }
  | { readonly event: 'delivery'; readonly id: string; readonly attempt: number }
  | ({ readonly event: 'verdict' } & WrittenVerdict)
  | { readonly event: 'stored' | 'returned'; readonly id: string }

/** A verdict that was sent; whether it arrived is another question. */
export interface WrittenVerdict {
  readonly id: string
  readonly attempt: number
  readonly status: string
  readonly time_elapsed: number
}

/** Reads a line of the worker's output; undefined for anything else, such as half a line of a killed one. */
export function readWorkerEvent(line: string): WorkerEvent | undefined {
  if (!line.startsWith('{"event":') || !line.endsWith('}')) return undefined
  return JSON.parse(line)
}
