import { useNow } from './use-now.ts'

/** How long a failure may last before the page shows it: one lost response is no news. */
const SHOWN_AFTER_MS = 5000

interface ConnectionProps {
  readonly failure: unknown
  readonly respondedMs: number
  readonly isRefused: boolean
}

/** Tells that the service is lost, or why it refuses. */
export function Connection({ failure, respondedMs, isRefused }: ConnectionProps) {
  const silentMs = useNow(500) - respondedMs
  if (failure === undefined) return null
  if (isRefused)
    return (
      <p class="banner lost" role="alert">
        {failure instanceof Error ? failure.message : ''} The page keeps trying.
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
