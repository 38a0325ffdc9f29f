import type { Schemas } from '@judge-data-layer/client'
import { send } from '../shared/request.ts'
import type { CellPlace } from '../shared/standings-view.ts'

export type Step = 'next' | 'undo'

const TIMEOUT_MS = 10_000

/** The result of a step of the thaw. */
export interface Revealed {
  readonly stepsLeft: number
  /** The cell that was revealed; undefined after the last step, and after a step back. */
  readonly cell: CellPlace | undefined
}

/** Logs staff in; resolves to their token. */
export async function logIn(email: string, password: string): Promise<string> {
  const response = await send('/v1/basic_login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { token }: Schemas['Session'] = await response.json()
  return token
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
