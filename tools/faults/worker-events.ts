import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'

const verdict = {
  id: Type.String(),
  judging: Type.Number(),
  status: Type.String(),
  time_elapsed: Type.Number(),
}

const WorkerEvent = Type.Union([
  Type.Object({ event: Type.Literal('ready') }),
  Type.Object({ event: Type.Literal('delivery'), id: Type.String(), judging: Type.Number() }),
  Type.Object({ event: Type.Literal('verdict'), ...verdict }),
  Type.Object({ event: Type.Literal('stored'), id: Type.String() }),
  Type.Object({ event: Type.Literal('returned'), id: Type.String() }),
])

const SentVerdict = Type.Object(verdict)

/** A line that the instant worker prints, as JSON. */
export type WorkerEvent = Static<typeof WorkerEvent>

/** A verdict that a worker sent. It may not have arrived. */
export type SentVerdict = Readonly<Static<typeof SentVerdict>>

/** Reads a line; undefined for anything else, such as half a line of a killed worker. */
export function readWorkerEvent(line: string): WorkerEvent | undefined {
  if (!line.startsWith('{"event":') || !line.endsWith('}')) return undefined
  const event: unknown = JSON.parse(line)
  return Check(WorkerEvent, event) ? event : undefined
}
