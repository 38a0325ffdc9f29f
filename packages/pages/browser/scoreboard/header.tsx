import { serviceNow, viewClock } from '../shared/contest-clock.ts'
import { formatTime } from '../shared/format-time.ts'
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

/** Tells since when results are hidden. */
export function FreezeBanner({ board }: { readonly board: Board }) {
  if (board.standings.state !== 'frozen') return null
  const { freeze_time: since } = board.times
  const time = since && formatTime(since, { withSeconds: false })
  return (
    <p class="banner frozen">
      <span aria-hidden="true">❄</span> The standings are frozen{time && ` since ${time}`}. Later results are
      shown as <b>?</b>
    </p>
  )
}
