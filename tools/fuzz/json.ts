/** JSON text that is written as it stands: what no JavaScript value can say, such as 1e400 or a depth of thousands. */
export class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value of the running service, chosen when the request is sent, so that plans depend on the seed alone. */
export class Live {
  /** Whose value it is, for example `problem_id` or `title`. */
  readonly name: string
  /** Which of them, modulo how many there are. */
  readonly pick: number
  /** What stands for it where the service has none that fits. */
  readonly fallback: string | number
  readonly fits: (value: string | number) => boolean

  constructor(
    name: string,
    pick: number,
    fallback: string | number,
    fits: (value: string | number) => boolean,
  ) {
    this.name = name
    this.pick = pick
    this.fallback = fallback
    this.fits = fits
  }
}

/** A JSON object whose keys may come twice. */
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

/** Writes JSON; `choose` says what each live value is. */
export function writeJson(json: Json, choose: (live: Live) => string | number): string {
  if (json instanceof Raw) return json.text
  if (json instanceof Live) return JSON.stringify(choose(json))
  if (typeof json === 'number') return Object.is(json, -0) ? '-0' : JSON.stringify(json)
  if (typeof json !== 'object' || json === null) return JSON.stringify(json)
  if (Array.isArray(json)) return `[${json.map((item) => writeJson(item, choose)).join(',')}]`
  const entries = json instanceof Entries ? json.entries : Object.entries(json)
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value, choose)}`).join(',')}}`
}

/** Every live value within. */
export function livesIn(json: Json): Live[] {
  if (json instanceof Live) return [json]
  if (typeof json !== 'object' || json === null || json instanceof Raw) return []
  if (json instanceof Entries) return json.entries.flatMap(([, value]) => livesIn(value))
  return Object.values(json).flatMap(livesIn)
}
