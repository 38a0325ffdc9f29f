import { useState } from 'preact/hooks'
import { describeError } from '../shared/request.ts'

/** Runs an action, and tells whether one runs and why the last one has failed. */
export function useAction(describe = describeError, firstMessage = '') {
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState(firstMessage)
  const run = (action: () => Promise<void>) => {
    setMessage('')
    setBusy(true)
    action()
      .catch((err: unknown) => setMessage(describe(err)))
      .finally(() => setBusy(false))
  }
  return { isBusy, message, setMessage, run }
}
