import { useNow } from './use-now.ts'

/** How long a failure may last before the page shows it: one lost response is no news. */
const SHOWN_AFTER_MS = 5000

interface ConnectionProps {
  readonly failure: unknown
  readonly respondedMs: number
  /** Why the service refuses. */
  readonly refusal?: string | undefined
}

/** Tells that the service is lost, or why it refuses. */
export function Connection({ failure, respondedMs, refusal }: ConnectionProps) {
  const silentMs = useNow(500) - respondedMs
  if (failure === undefined) return null
  if (refusal !== undefined)
    return (
      <p class="banner lost" role="alert">
        {refusal}
      </p>
    )
  if (silentMs < SHOWN_AFTER_MS) return null
  return (
    <div class="banner lost">
      <span role="alert">No connection to the service. The page keeps trying.</span>{' '}
      <span class="seconds">Last response {Math.floor(silentMs / 1000)} s ago.</span>
    </div>
  )
}
