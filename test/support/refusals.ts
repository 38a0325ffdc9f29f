import { expect } from 'vitest'
import { isOfContestApi } from '../../src/http/routing/errors.ts'

interface Refusal {
  readonly status: number
  readonly body: { readonly code: string; readonly error?: unknown }
}

/** A refusal as a test expects it; the message counts only if it is given. */
export const refusal = (status: number, code: string, error?: unknown): Refusal => ({
  status,
  body: { code, ...(error !== undefined && { error }) },
})

/** The same refusal as this route sends it: the Contest API has its own body (P26). */
export function refusalAt(url: string, refused: Refusal) {
  if (!isOfContestApi(url)) return refused
  const { status, body } = refused
  return { status, body: { code: status, ...(body.error !== undefined && { message: body.error }) } }
}

export const notFound = (what: string) => refusal(404, 'NOT_FOUND', `There is no such ${what}`)

/** A 400 whose message begins with the name of the field. */
export const invalidField = (field: string) =>
  refusal(400, '400', expect.stringMatching(new RegExp(`^${field}\\b`)))

export const invalid = refusal(400, '400')
export const unauthorized = refusal(401, 'UNAUTHORIZED')
export const forbidden = refusal(403, 'FORBIDDEN')
