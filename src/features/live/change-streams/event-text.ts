import type { StreamEventName } from './schemas.ts'

/** An event of a stream as text, without its end and without an id. */
export type EventText = string

/** Writes an event; `json` has no line breaks. */
export const eventText = (name: StreamEventName, json: string): EventText => `event: ${name}\ndata: ${json}\n`

/** Joins events. Only the last has the position: a client that lost some gets all of them again. */
export function joinEvents(events: readonly EventText[], position?: string): string {
  return `${events.join('\n')}${position === undefined ? '' : idLine(position)}\n`
}

/** A sign of life, with the position from which the client goes on later. */
export function pingText(position: string): string {
  return `:\n${idLine(position)}\n`
}

const idLine = (position: string) => `id: ${position}\n`
