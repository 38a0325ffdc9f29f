import { expect } from 'vitest'

/** A refusal as a test expects it; the message counts only if it is given. */
export const refusal = (status: number, code: string, error?: unknown) => ({
  status,
  body: { code, ...(error !== undefined && { error }) },
})

export const notFound = (what: string) => refusal(404, 'NOT_FOUND', `There is no such ${what}`)

/** A 400 whose message begins with the name of the field. */
export const invalidField = (field: string) =>
  refusal(400, '400', expect.stringMatching(new RegExp(`^${field}\\b`)))

export const invalid = refusal(400, '400')
export const unauthorized = refusal(401, 'UNAUTHORIZED')
export const forbidden = refusal(403, 'FORBIDDEN')
