import { describeErrorResponse, type HttpSession, type Send } from './http-session.ts'

export const RECORD_TIMEOUT_MS = 30_000
// Tests and verdicts can have tens of megabytes.
export const BULK_TIMEOUT_MS = 120_000

/** Reads with a request; undefined without a record. Throws `ServiceError`. */
export async function readFrom<Data, Found>(
  session: HttpSession,
  timeoutMs: number,
  send: Send<Data>,
  pick: (data: Data, response: Response) => Found,
): Promise<Found | undefined> {
  const { data, error, response } = await session.call(timeoutMs, send)
  if (!error) return pick(data, response)
  // An invalid id (400) has no record either.
  if (response.status === 404 || response.status === 400) return undefined
  throw describeErrorResponse(response, error)
}
