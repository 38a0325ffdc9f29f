import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { AppError } from './errors.ts'

/** A handler's response; `body` is sent as it is. */
export interface RouteResponse {
  readonly status: number
  readonly body?: string | Buffer | Readable
  /** Default: `application/json; charset=utf-8`. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Takes the reply over in place of a body: a response that goes on (P25). */
  readonly live?: (reply: FastifyReply) => void
}

/** 200 with JSON text that the database built. */
export const ok = (body: string): RouteResponse => ({ status: 200, body })

/** 201 with JSON text that the database built. */
export const created = (body: string): RouteResponse => ({ status: 201, body })

/** A body with a message, and with other fields. */
export const messageBody = (message: string, fields: object = {}) => JSON.stringify({ message, ...fields })

/** 204 without a body. */
export const noContent: RouteResponse = { status: 204 }

/** Whether the client still waits: it has not gone, and has not got its 503 for lack of time. */
export const isAwaited = (response: ServerResponse) => !response.destroyed && !response.writableEnded

/** The first row. Throws NOT_FOUND with the name of the missing record. */
export function found<R>(rows: readonly R[], record: string): R {
  const [row] = rows
  if (row === undefined) throw notFound(record)
  return row
}

/** 204 if there is a row. Throws NOT_FOUND with the name of the missing record. */
export function noContentFor(rows: readonly unknown[], record: string): RouteResponse {
  found(rows, record)
  return noContent
}

/** `There is no such user`: the record does not exist, or the caller may not see it. */
export const notFound = (record: string) => new AppError('NOT_FOUND', `There is no such ${record}`)

export const TOO_MUCH_TO_DO = 'The service has too much to do; try again shortly'

/**
 * The response within `timeoutMs`. Throws UNAVAILABLE: a running statement goes on and may be
 * stored, but no other is started once the 503 is sent.
 */
export function withinTime<T>(response: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('UNAVAILABLE', TOO_MUCH_TO_DO)), timeoutMs)
    response.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
