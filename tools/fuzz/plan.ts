import type { Operation } from '../../verification/openapi-operations.ts'
import { type Json, type Live, livesIn } from './json.ts'

/** Whose credential a request carries, and how. */
export const callers = [
  'admin',
  'user',
  'other user',
  'judge',
  'bridge secret',
  'judge password',
  'deleted user',
  'nobody',
  'empty',
  'garbage',
  'unsigned',
  'bearer',
] as const

export type Caller = (typeof callers)[number]

/** Callers without any valid credential: every operation that wants one answers them 401. */
export const strangers: ReadonlySet<Caller> = new Set([
  'deleted user',
  'nobody',
  'empty',
  'garbage',
  'unsigned',
  'bearer',
])

export type Body =
  | { readonly as: 'json'; readonly json: Json }
  | { readonly as: 'bytes'; readonly bytes: Buffer }
  /** So many bytes of JSON white space around an empty object. */
  | { readonly as: 'filler'; readonly byteCount: number }

/** A part of a query: a value that is encoded, or text as it stands. */
export type QueryPart = { readonly name: string; readonly value: Json } | { readonly raw: string }

/** What is broken of the bytes on the wire, beneath HTTP. */
export type Fault =
  | 'two lengths'
  | 'length and chunks'
  | 'bad chunk'
  | 'bare line feeds'
  | 'no version'
  | 'NUL in a header'
  | 'folded header'
  | 'cut short'
  | 'space before colon'
  | 'long head'
  | 'two requests'

/** A request before it meets the service: it depends on the seed alone. */
export interface Plan {
  readonly operation: Operation
  /** Whether all of it is what the document asks for. */
  readonly isRight: boolean
  readonly caller: Caller
  /** Chooses among the rows of the service that fit all of the request. */
  readonly pick: number
  readonly method: string
  /** Undefined where the path is another than the operation's. */
  readonly pathValues: Readonly<Record<string, Json>>
  /** Text in place of the operation's path. */
  readonly otherPath: string | undefined
  readonly query: readonly QueryPart[]
  /** Besides those that the body and the caller bring; in this order, perhaps twice. */
  readonly headers: readonly (readonly [string, string])[]
  readonly contentType: string
  readonly body: Body | undefined
  readonly isChunked: boolean
  readonly fault: Fault | undefined
}

/** Every live value of a plan, those of the path first. */
export function livesOf(plan: Plan): Live[] {
  const values = plan.query.flatMap((part) => ('value' in part ? livesIn(part.value) : []))
  const inBody = plan.body?.as === 'json' ? livesIn(plan.body.json) : []
  return [...Object.values(plan.pathValues).flatMap(livesIn), ...values, ...inBody]
}
