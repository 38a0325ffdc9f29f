import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError } from '@judge-data-layer/client/errors'
import { describeError, describeLoginError, send } from '../shared/request.ts'
import type { CellPlace } from '../shared/standings-view.ts'

export type Step = 'next' | 'undo'

const TIMEOUT_MS = 10_000

/** The result of a step of the thaw. */
export interface Revealed {
  readonly stepsLeft: number
  /** The cell that was revealed; undefined after the last step, and after a step back. */
  readonly cell: CellPlace | undefined
}

export const ONLY_STAFF = 'Only staff of this contest may reveal.'

/** Logs staff in; resolves to their token. Throws an error with a text for people. */
export async function logIn(email: string, password: string): Promise<string> {
  const response = await send('/v1/basic_login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new Error(describeLoginError(cause), { cause })
  })
  const { token }: Schemas['Session'] = await response.json()
  return token
}

/** Throws an error with a text for people unless the token belongs to staff of the contest. */
export async function requireStaff(eventId: number, token: string): Promise<void> {
  // A header cannot carry other characters.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Error('This is no token.')
  // Only staff may read this list.
  const path = `/v1/events/${eventId}/scoreboard_tokens`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  await send(path, { headers: { Authorization: token }, signal }).catch((cause: unknown) => {
    const status = cause instanceof JudgeApiError ? cause.status : undefined
    if (status === 403 || status === 404) throw new Error(ONLY_STAFF, { cause })
    if (status === 401) throw new Error(`The token is not accepted: ${describeError(cause)}`, { cause })
    throw cause
  })
}

/** Takes a step of the thaw, or takes the last one back. */
export async function takeStep(eventId: number, token: string, step: Step): Promise<Revealed> {
  const path = `/v1/events/${eventId}/thaw?${step}=true`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await send(path, { method: 'POST', headers: { Authorization: token }, signal })
  const { steps_left, revealed }: Schemas['Thaw'] = await response.json()
  const rowId = revealed?.team?.id ?? revealed?.user?.id
  const cell = revealed && rowId !== undefined ? { rowId, problemId: revealed.problem_id } : undefined
  return { stepsLeft: steps_left, cell }
}
