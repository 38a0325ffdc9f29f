import type { Operation } from '../../test/support/verification/openapi-operations.ts'

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

export type Choose = (live: Live) => string | number

function writeJson(json: Json, choose: Choose): string {
  if (json instanceof Raw) return json.text
  if (json instanceof Live) return JSON.stringify(choose(json))
  if (typeof json === 'number') return Object.is(json, -0) ? '-0' : JSON.stringify(json)
  if (typeof json !== 'object' || json === null) return JSON.stringify(json)
  if (Array.isArray(json)) return `[${json.map((item) => writeJson(item, choose)).join(',')}]`
  const entries = json instanceof Entries ? json.entries : Object.entries(json)
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value, choose)}`).join(',')}}`
}

function livesIn(json: Json): Live[] {
  if (json instanceof Live) return [json]
  if (typeof json !== 'object' || json === null || json instanceof Raw) return []
  if (json instanceof Entries) return json.entries.flatMap(([, value]) => livesIn(value))
  return Object.values(json).flatMap(livesIn)
}

/** The sender of a request, which decides its credential. */
export const callers = [
  ...(['admin', 'user', 'other user', 'judge', 'bridge secret', 'judge password'] as const),
  ...(['deleted user', 'nobody', 'empty', 'garbage', 'unsigned', 'bearer'] as const),
  ...(['e-mail and password', 'wrong password', 'scoreboard token'] as const),
]

export type Caller = (typeof callers)[number]

export type Body =
  | { readonly as: 'json'; readonly json: Json }
  | { readonly as: 'bytes'; readonly bytes: Buffer }
  /** An empty object with spaces. */
  | { readonly as: 'filler'; readonly byteCount: number }

/** A part of a query: a value to encode, or raw text. */
export type QueryPart = { readonly name: string; readonly value: Json } | { readonly raw: string }

/** A request that depends only on the seed. */
export interface Plan {
  readonly operation: Operation
  readonly isRight: boolean
  readonly caller: Caller
  /** Chooses among the rows that have all values of the request. */
  readonly pick: number
  readonly method: string
  readonly pathValues: Readonly<Record<string, Json>>
  readonly otherPath: string | undefined
  readonly query: readonly QueryPart[]
  readonly headers: readonly (readonly [string, string])[]
  readonly contentType: string
  readonly body: Body | undefined
  readonly isChunked: boolean
}

/** Every live value of a plan, the path's first. */
export function livesOf(plan: Plan): Live[] {
  const values = plan.query.flatMap((part) => ('value' in part ? livesIn(part.value) : []))
  const inBody = plan.body?.as === 'json' ? livesIn(plan.body.json) : []
  return [...Object.values(plan.pathValues).flatMap(livesIn), ...values, ...inBody]
}

export interface Rendered {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | undefined
  /** Undefined for another path than the operation's. */
  readonly pathValues: Readonly<Record<string, string>> | undefined
}

/** Writes the request of a plan. `choose` returns the value of each `Live`. */
export function renderPlan(plan: Plan, choose: Choose, credentialOf: (caller: Caller) => string | undefined) {
  // Raw text for a string, JSON for other values.
  const write = (value: Json) => {
    const text = writeJson(value, choose)
    return text.startsWith('"') ? String(JSON.parse(text)) : text
  }
  const body = renderBody(plan.body, choose)
  const credential = credentialOf(plan.caller)
  const pathValues = Object.fromEntries(
    Object.entries(plan.pathValues).map(([name, value]) => [name, write(value)]),
  )
  const path = plan.otherPath ?? fillPath(plan.operation.path, pathValues)
  const query = plan.query.map((part) =>
    'raw' in part ? part.raw : `${part.name}=${encodeURIComponent(write(part.value))}`,
  )
  const headers: [string, string][] = []
  if (credential !== undefined) headers.push(['Authorization', credential])
  if (body !== undefined && plan.contentType !== '') headers.push(['Content-Type', plan.contentType])
  return {
    method: plan.method,
    target: query.join('&') === '' ? path : `${path}?${query.join('&')}`,
    headers: [...headers, ...plan.headers],
    body,
    pathValues: plan.otherPath === undefined ? pathValues : undefined,
  }
}

function renderBody(body: Body | undefined, choose: Choose): Buffer | undefined {
  if (body?.as === 'json') return Buffer.from(writeJson(body.json, choose))
  return body?.as === 'filler' ? Buffer.from(`{}${' '.repeat(body.byteCount - 2)}`) : body?.bytes
}

export const fillPath = (path: string, values: Readonly<Record<string, string>>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

/** A command that sends the same request. */
export function describeAsCurl(origin: string, { method, target, headers, body }: Rendered): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const curl = `curl -i --path-as-is -X ${method} ${quote(origin + target)}`
  const lines = headers.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`)
  const text = body?.toString('utf8') ?? ''
  if (body !== undefined && !(/^[ -~\u00a1-\uffff]*$/.test(text) && body.length < 5000)) {
    const isFiller = /^\{\} +$/.test(text)
    const bytes = isFiller
      ? `printf '{}%${body.length - 2}s' ''`
      : `echo ${body.toString('base64')} | base64 -d`
    return [`${bytes} | ${curl}`, ...lines, '--data-binary @-'].join(' \\\n  ')
  }
  const data = body === undefined ? [] : [`--data-raw ${quote(text)}`]
  return [curl, ...lines, ...data].join(' \\\n  ')
}
