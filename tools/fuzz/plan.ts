import type { Operation } from '../../verification/openapi-operations.ts'
import { type Choose, type Json, type Live, livesIn, writeJson } from './json.ts'

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
  /** Whether the document allows all of it. */
  readonly isRight: boolean
  readonly caller: Caller
  /** Chooses among the rows that have all values of the request. */
  readonly pick: number
  readonly method: string
  readonly pathValues: Readonly<Record<string, Json>>
  /** Replaces the operation's path. */
  readonly otherPath: string | undefined
  readonly query: readonly QueryPart[]
  /** Further headers, in this order. */
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

/** A request as it is sent. */
export interface Rendered {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | undefined
  /** Undefined for another path than the operation's. */
  readonly pathValues: Readonly<Record<string, string>> | undefined
}

/** Writes the request of a plan. `choose` returns the value of each `Live`. */
export function renderPlan(
  plan: Plan,
  choose: Choose,
  credentialOf: (caller: Caller) => string | undefined,
): Rendered {
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

/** Replaces the parameters of a path. */
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
