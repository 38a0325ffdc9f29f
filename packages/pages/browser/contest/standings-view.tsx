import { JudgeApiError } from '@judge-data-layer/client/errors'
import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useResource } from '../shared/poll.ts'
import { StandingsTable } from '../shared/standings-table.tsx'
import { measureTexts, type Standings } from '../shared/standings-view.ts'
import type { ViewProps } from './contest-data.ts'

const MOVE_MS = 700

export function StandingsView({ client, eventId, session, data: { standings, event } }: ViewProps) {
  const hasTeams = event.data?.teams === true
  const readTeam = useCallback(async () => {
    const params = { path: { event_id: eventId } }
    const { data: team } = await client.GET('/v1/events/{event_id}/teams/me', { params })
    return team?.id
  }, [client, eventId])
  const team = useResource(hasTeams ? readTeam : undefined)
  if (standings.failure instanceof JudgeApiError) return <p role="alert">{standings.failure.message}</p>
  if (standings.data === undefined) return <p>Waiting for the service …</p>
  return <Shown standings={standings.data} ownId={hasTeams ? team.data : session.id} />
}

function Shown({ standings, ownId }: { readonly standings: Standings; readonly ownId: string | undefined }) {
  const frame = useRef<HTMLDivElement>(null)
  const isWide = useOverflow(frame)
  const { total, cell } = useMemo(() => measureTexts(standings), [standings])
  const style = {
    '--problems': `${standings.problems.length}`,
    '--total-characters': `${total}`,
    '--cell-characters': `${cell}`,
  }
  return (
    <>
      {standings.state === 'frozen' && (
        <p class="banner frozen">The standings are frozen: later results are shown as “?”.</p>
      )}
      {isWide && <p class="about">Scroll the table sideways to see all problems. →</p>}
      <div ref={frame} class="standings-frame" style={style}>
        <StandingsTable standings={standings} caption="Standings" moveMs={MOVE_MS} ownId={ownId} />
      </div>
    </>
  )
}

function useOverflow(element: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(false)
  useLayoutEffect(() => {
    const frame = element.current
    if (frame === null) return undefined
    const observer = new ResizeObserver(() => setWide(frame.scrollWidth > frame.clientWidth))
    for (const watched of [frame, ...frame.children]) observer.observe(watched)
    return () => observer.disconnect()
  }, [element])
  return isWide
}
