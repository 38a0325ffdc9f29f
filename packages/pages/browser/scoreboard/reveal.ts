import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { useRef, useState } from 'preact/hooks'
import { describeError, describeLoginError, send } from '../shared/request.ts'
import type { CellPlace } from '../shared/standings-view.ts'

type Step = 'next' | 'undo'

const TIMEOUT_MS = 10_000

const ONLY_STAFF = 'Only staff of this contest may reveal.'

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

/**
 * Takes a step of the thaw, or takes the last one back. The cell that was revealed is undefined
 * after the last step, and after a step back.
 */
async function takeStep(eventId: number, token: string, step: Step) {
  const path = `/v1/events/${eventId}/thaw?${step}=true`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await send(path, { method: 'POST', headers: { Authorization: token }, signal })
  const { steps_left: stepsLeft, revealed: cell }: Schemas['Thaw'] = await response.json()
  const rowId = cell?.team?.id ?? cell?.user?.id
  const revealed = cell && rowId !== undefined ? { rowId, problemId: cell.problem_id } : undefined
  return { stepsLeft, revealed }
}

interface Progress {
  /** Undefined before the first step. */
  readonly stepsLeft: number | undefined
  readonly revealed: CellPlace | undefined
  readonly message: string
}

const NOTHING: Progress = { stepsLeft: undefined, revealed: undefined, message: '' }

export type Reveal = ReturnType<typeof useReveal>

/**
 * The reveal of the thaw, once staff has given a token. The token is only in this memory: a reload
 * forgets it.
 */
export function useReveal(eventId: number, onStep: () => void) {
  const token = useRef<string | undefined>(undefined)
  const [isOn, setOn] = useState(false)
  const isBusy = useRef(false)
  const [progress, setProgress] = useState(NOTHING)
  const enter = (next: string | undefined) => {
    token.current = next
    setOn(next !== undefined)
    setProgress(NOTHING)
  }
  const step = async (kind: Step) => {
    // One step for one key press: presses during a request count for nothing.
    if (token.current === undefined || isBusy.current) return
    isBusy.current = true
    try {
      const taken = await takeStep(eventId, token.current, kind)
      setProgress({ ...taken, message: taken.stepsLeft === 0 ? 'All results are revealed.' : '' })
      onStep()
    } catch (err) {
      if (err instanceof JudgeApiError && err.status === 401) enter(undefined)
      // The service may have taken the step.
      if (err instanceof NoResponseError) onStep()
      setProgress((before) => ({ ...before, message: explain(err) }))
    } finally {
      isBusy.current = false
    }
  }
  return {
    ...{ isOn, ...progress },
    start: (staffToken: string) => enter(staffToken),
    end: () => enter(undefined),
    step: (kind: Step) => void step(kind),
  }
}

const WORDS: Readonly<Record<string, string>> = {
  EVENT_NOT_ENDED: 'The contest has not ended for everybody yet.',
  NOT_FROZEN: 'The standings are not frozen: everything is revealed.',
  NOTHING_REVEALED: 'Nothing is revealed yet: there is no step to take back.',
  FORBIDDEN: ONLY_STAFF,
}

function explain(err: unknown): string {
  if (err instanceof JudgeApiError && err.status === 401) return `The token is not accepted: ${err.message}`
  if (err instanceof NoResponseError)
    return `${err.message} The step may have been taken: look at the rows before the next key.`
  return (err instanceof JudgeApiError && WORDS[err.code]) || describeError(err)
}
