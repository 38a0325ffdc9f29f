import type { Operation } from '../../verification/openapi-operations.ts'
import { type Json, type Live, livesIn } from './json.ts'

/** The sender of a request, which decides its credential. */
export const callers = [
  ...(['admin', 'user', 'other user', 'judge', 'bridge secret', 'judge password'] as const),
  ...(['deleted user', 'nobody', 'empty', 'garbage', 'unsigned', 'bearer'] as const),
]

export type Caller = (typeof callers)[number]

export type Body =
  | { readonly as: 'json'; readonly json: Json }
  | { readonly as: 'bytes'; readonly bytes: Buffer }
  /** An empty object with spaces. */
  | { readonly as: 'filler'; readonly byteCount: number }

/** A part of a query: a value to encode, or raw text. */
export type QueryPart = { readonly name: string; readonly value: Json } | { readonly raw: string }

/** Ways to break HTTP itself. */
export const faults = [
  ...(['two lengths', 'length and chunks', 'bad chunk', 'bare line feeds', 'no version'] as const),
  ...(['NUL in a header', 'folded header', 'cut short', 'space before colon', 'long head'] as const),
  'two requests' as const,
]

export type Fault = (typeof faults)[number]

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
  readonly fault: Fault | undefined
}

/** Every live value of a plan, the path's first. */
export function livesOf(plan: Plan): Live[] {
  const values = plan.query.flatMap((part) => ('value' in part ? livesIn(part.value) : []))
  const inBody = plan.body?.as === 'json' ? livesIn(plan.body.json) : []
  return [...Object.values(plan.pathValues).flatMap(livesIn), ...values, ...inBody]
}
