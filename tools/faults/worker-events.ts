import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'

const verdict = {
  id: Type.String(),
  attempt: Type.Number(),
  status: Type.String(),
  time_elapsed: Type.Number(),
}

const WorkerEvent = Type.Union([
  Type.Object({ event: Type.Literal('ready') }),
  Type.Object({ event: Type.Literal('delivery'), id: Type.String(), attempt: Type.Number() }),
  Type.Object({ event: Type.Literal('verdict'), ...verdict }),
  Type.Object({ event: Type.Literal('stored'), id: Type.String() }),
  Type.Object({ event: Type.Literal('returned'), id: Type.String() }),
])

const WrittenVerdict = Type.Object(verdict)

/** What the instant worker says on its output, a JSON line each. */
export type WorkerEvent = Static<typeof WorkerEvent>

/** A verdict that was sent; whether it arrived is another question. */
export type WrittenVerdict = Readonly<Static<typeof WrittenVerdict>>

/** Reads a line of the worker's output; undefined for anything else, such as half a line of a killed one. */
export function readWorkerEvent(line: string): WorkerEvent | undefined {
  if (!line.startsWith('{"event":') || !line.endsWith('}')) return undefined
  const said: unknown = JSON.parse(line)
  return Check(WorkerEvent, said) ? said : undefined
}
