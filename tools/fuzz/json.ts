/** JSON text that no JavaScript value can express, such as 1e400. */
export class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value of the running service, chosen when the request is sent. */
export class Live {
  /** The kind of value, for example `problem_id` or `title`. */
  readonly name: string
  /** Which value, modulo their number. */
  readonly pick: number
  /** The value if the service has none that fits. */
  readonly fallback: string | number
  readonly fits: (value: string | number) => boolean

  constructor(name: string, pick: number, fallback: Live['fallback'], fits: Live['fits']) {
    this.name = name
    this.pick = pick
    this.fallback = fallback
    this.fits = fits
  }
}

/** A JSON object that may have a key twice. */
export class Entries {
  readonly entries: readonly (readonly [string, Json])[]

  constructor(entries: readonly (readonly [string, Json])[]) {
    this.entries = entries
  }
}

export type Json = null | boolean | number | string | Raw | Live | Entries | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/** Chooses the value of a `Live`. */
export type Choose = (live: Live) => string | number

/** Writes JSON. */
export function writeJson(json: Json, choose: Choose): string {
  if (json instanceof Raw) return json.text
  if (json instanceof Live) return JSON.stringify(choose(json))
  if (typeof json === 'number') return Object.is(json, -0) ? '-0' : JSON.stringify(json)
  if (typeof json !== 'object' || json === null) return JSON.stringify(json)
  if (Array.isArray(json)) return `[${json.map((item) => writeJson(item, choose)).join(',')}]`
  const entries = json instanceof Entries ? json.entries : Object.entries(json)
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value, choose)}`).join(',')}}`
}

/** Every `Live` within. */
export function livesIn(json: Json): Live[] {
  if (json instanceof Live) return [json]
  if (typeof json !== 'object' || json === null || json instanceof Raw) return []
  if (json instanceof Entries) return json.entries.flatMap(([, value]) => livesIn(value))
  return Object.values(json).flatMap(livesIn)
}
