import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { useRef, useState } from 'preact/hooks'
import { describeError } from '../shared/request.ts'
import type { CellPlace } from '../shared/standings-view.ts'
import { ONLY_STAFF, type Step, takeStep } from './reveal.ts'

/** The reveal of the thaw, once staff has given a token. */
export interface Reveal {
  readonly isOn: boolean
  /** Undefined before the first step. */
  readonly stepsLeft: number | undefined
  readonly revealed: CellPlace | undefined
  readonly message: string
  start(token: string): void
  end(): void
  step(step: Step): void
}

type Progress = Pick<Reveal, 'stepsLeft' | 'revealed' | 'message'>

const NOTHING: Progress = { stepsLeft: undefined, revealed: undefined, message: '' }

/** The token is only in this memory: a reload forgets it. */
export function useReveal(eventId: number, onStep: () => void): Reveal {
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
      const { stepsLeft, cell } = await takeStep(eventId, token.current, kind)
      setProgress({ stepsLeft, revealed: cell, message: stepsLeft === 0 ? 'All results are revealed.' : '' })
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
    start: (next) => enter(next),
    end: () => enter(undefined),
    step: (kind) => void step(kind),
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
