import { serviceNow, viewClock } from '../shared/contest-clock.ts'
import { useNow } from '../shared/use-now.ts'
import type { Board } from './source.ts'

/** The title and the clock. */
export function Header({ board }: { readonly board: Board }) {
  const nowMs = useNow(200)
  const { phase, label, time } = viewClock(board.times, serviceNow(board.serviceTime, nowMs))
  return (
    <header class={`bar ${phase}`}>
      <h1>{board.title}</h1>
      <p class="clock" role="timer">
        <span class="clock-label">{label}</span> {time && <span class="clock-time">{time}</span>}
      </p>
    </header>
  )
}

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

/** Tells since when results are hidden. */
export function FreezeBanner({ board }: { readonly board: Board }) {
  if (board.standings.state !== 'frozen') return null
  const { freeze_time: since } = board.times
  const time = since && new Date(since).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return (
    <p class="banner frozen">
      <span aria-hidden="true">❄</span> The standings are frozen{time && ` since ${time}`}. Later results are
      shown as <b>?</b>
    </p>
  )
}
