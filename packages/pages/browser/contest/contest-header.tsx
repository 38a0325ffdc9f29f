import { serviceNow, viewClock } from '../shared/contest-clock.ts'
import { toggleTheme } from '../shared/theme.ts'
import { useNow } from '../shared/use-now.ts'
import type { ContestData, OwnClock } from './contest-data.ts'
import type { Session } from './session.ts'

interface ContestHeaderProps {
  readonly data: ContestData
  readonly session: Session
  readonly title: string
  readonly onSignOut: () => void
}

export function ContestHeader({ data, session, title, onSignOut }: ContestHeaderProps) {
  const clock = data.clock.data
  return (
    <header class="bar">
      <h1>{title}</h1>
      {clock && <Clock clock={clock} />}
      <p class="account">
        <span class="account-name">{session.name}</span>
        <button type="button" onClick={toggleTheme} aria-label="Change between light and dark">
          ◐
        </button>
        <button type="button" onClick={onSignOut}>
          Sign out
        </button>
      </p>
    </header>
  )
}

function Clock({ clock: { times, serviceTime } }: { readonly clock: OwnClock }) {
  const nowMs = useNow(250)
  const { label, time } = viewClock(times, serviceNow(serviceTime, nowMs), times.own_end_time)
  return (
    <p class="clock" role="timer">
      <span class="clock-label">{label}</span> {time && <span class="clock-time">{time}</span>}
    </p>
  )
}
