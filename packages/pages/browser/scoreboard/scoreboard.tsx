import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Connection } from '../shared/connection.tsx'
import { serviceNow, viewClock } from '../shared/contest-clock.ts'
import { formatTime } from '../shared/format-time.ts'
import { useResource } from '../shared/poll.ts'
import { StandingsTable } from '../shared/standings-table.tsx'
import {
  describeChanges,
  findNextReveal,
  hasPoints,
  measureTexts,
  type Standings,
} from '../shared/standings-view.ts'
import { toggleTheme } from '../shared/theme.ts'
import { useNow } from '../shared/use-now.ts'
import { useAutoScroll } from './auto-scroll.ts'
import { HelpDialog, RevealDialog } from './dialogs.tsx'
import { fitTable, type TableSizes } from './fit-table.ts'
import { type Reveal, useReveal } from './reveal.ts'
import { type Address, type Board, describeRefusal, openSource } from './source.ts'

const BOARD_TIMES = { intervalMs: 2000, timeoutMs: 10_000 }

/** The page for a projector. */
export function Scoreboard({ address }: { readonly address: Address }) {
  const readBoard = useMemo(() => openSource(address), [address])
  const { data: board, failure, respondedMs, reload } = useResource(readBoard, BOARD_TIMES)
  const reveal = useReveal(address.eventId, reload)
  const [dialog, setDialog] = useState<'help' | 'reveal'>()
  const [isScrolling, setScrolling] = useState(true)
  useKeys({
    '?': () => setDialog('help'),
    p: () => setScrolling(!isScrolling),
    d: toggleTheme,
    f: toggleFullScreen,
    t: () => (reveal.isOn ? reveal.end() : setDialog('reveal')),
    ...(reveal.isOn && {
      ArrowRight: () => reveal.step('next'),
      ' ': () => reveal.step('next'),
      ArrowLeft: () => reveal.step('undo'),
    }),
  })
  const title = board?.title
  useEffect(() => {
    document.title = title === undefined ? 'Standings' : `${title} – standings`
  }, [title])
  const refusal = describeRefusal(failure)
  return (
    <>
      {board && <Header board={board} />}
      <Connection failure={failure} respondedMs={respondedMs} refusal={refusal} />
      {board && <FreezeBanner board={board} />}
      <RevealBar reveal={reveal} />
      {board ? (
        <Table board={board} reveal={reveal} isScrolling={isScrolling && !reveal.isOn} />
      ) : (
        refusal === undefined && <p class="waiting">Waiting for the service …</p>
      )}
      {board && <Announcer standings={board.standings} />}
      {board && <Legend isScrolling={isScrolling} byPoints={hasPoints(board.standings)} />}
      {dialog === 'help' && <HelpDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'reveal' && (
        <RevealDialog
          eventId={address.eventId}
          onClose={() => setDialog(undefined)}
          onToken={(staffToken) => {
            reveal.start(staffToken)
            setDialog(undefined)
          }}
        />
      )}
    </>
  )
}

function RevealBar({ reveal }: { readonly reveal: Reveal }) {
  if (!reveal.isOn && reveal.message === '') return null
  const { stepsLeft, message } = reveal
  return (
    <p class="banner reveal">
      {reveal.isOn && (
        <span>
          Reveal: <kbd>→</kbd> next, <kbd>←</kbd> back, <kbd>t</kbd> ends.
          {stepsLeft !== undefined && stepsLeft > 0 && ` ${stepsLeft} left.`}
        </span>
      )}{' '}
      <span role="alert">{message}</span>
    </p>
  )
}

/** Rows move slower in a reveal, so that people can follow. */
const MOVE_MS = 900
const REVEAL_MOVE_MS = 1600

interface TableProps {
  readonly board: Board
  readonly reveal: Reveal
  readonly isScrolling: boolean
}

function Table({ board: { standings, title }, reveal, isScrolling }: TableProps) {
  const viewport = useRef<HTMLElement>(null)
  const characters = useMemo(() => measureTexts(standings), [standings])
  const sizes = useSizes(viewport, standings, characters.cell)
  useAutoScroll(viewport, sizes.row, isScrolling)
  const next = reveal.isOn && standings.state === 'frozen' ? findNextReveal(standings) : undefined
  const revealed = reveal.isOn ? reveal.revealed : undefined
  useShownRow(viewport, revealed?.rowId, next?.rowId)
  const style = {
    '--row': `${sizes.row}px`,
    '--font': `${sizes.font}px`,
    '--cell': `${sizes.cell}px`,
    '--cell-font': `${sizes.cellFont}px`,
    '--total-characters': `${characters.total}`,
  }
  return (
    <main
      ref={viewport}
      class="viewport"
      style={style}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys can scroll only what has the focus.
      tabIndex={0}
      aria-label="Standings"
    >
      <StandingsTable
        standings={standings}
        caption={`Standings of ${title}`}
        moveMs={reveal.isOn ? REVEAL_MOVE_MS : MOVE_MS}
        revealed={revealed}
        next={next}
      />
      {standings.rows.length === 0 && <p class="waiting">Nobody takes part yet.</p>}
    </main>
  )
}

/** How long the row that was revealed stays in view, before the next one comes into view. */
const REVEALED_MS = 3500

/** Scrolls to the row that was revealed, and then to the next one. */
function useShownRow(
  viewport: { readonly current: HTMLElement | null },
  revealedId: string | undefined,
  nextId: string | undefined,
): void {
  const show = (rowId: string | undefined) => {
    if (rowId === undefined) return
    const row = viewport.current?.querySelector(`[data-row="${CSS.escape(rowId)}"]`)
    row?.scrollIntoView({ block: 'center', behavior: 'smooth' })
  }
  useEffect(() => {
    show(revealedId ?? nextId)
    const timer = setTimeout(() => show(nextId), REVEALED_MS)
    return () => clearTimeout(timer)
  }, [revealedId, nextId])
}

function useSizes(
  viewport: { readonly current: HTMLElement | null },
  standings: Standings,
  characters: number,
): TableSizes {
  const [space, setSpace] = useState({ width: innerWidth, height: innerHeight * 0.8 })
  useLayoutEffect(() => {
    if (viewport.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSpace({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(viewport.current)
    return () => observer.disconnect()
  }, [viewport])
  const height = space.height - Math.max(space.height * HEAD_SHARE, LEAST_HEAD)
  return fitTable({
    ...{ width: space.width, height },
    ...{ rows: standings.rows.length, problems: standings.problems.length, characters },
  })
}

/** The head of the table, as in `scoreboard.css`. */
const HEAD_SHARE = 0.07
const LEAST_HEAD = 40

function Legend({ isScrolling, byPoints }: { readonly isScrolling: boolean; readonly byPoints: boolean }) {
  return (
    <footer class="legend">
      <span>
        <i class="cell solved first">★</i> first solution
      </span>
      <span>
        <i class="cell solved">57</i> solved, {byPoints ? 'points' : 'minute'}
      </span>
      {byPoints && (
        <span>
          <i class="cell partial">40</i> some points
        </span>
      )}
      <span>
        <i class="cell tried">✗</i> not solved
      </span>
      <span>
        <i class="cell pending">?</i> pending
      </span>
      <span class="keys-hint">
        {!isScrolling && 'Scrolling is off. '}
        <kbd>?</kbd> keys
      </span>
    </footer>
  )
}

function toggleFullScreen(): void {
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen()
  // A browser may refuse; the page works all the same.
  change.catch(() => {})
}

function Header({ board }: { readonly board: Board }) {
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

function FreezeBanner({ board }: { readonly board: Board }) {
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

/** Calls the action of a key that is pressed outside of dialogs and fields. */
function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const present = useRef(actions)
  present.current = actions
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return
      if (document.querySelector('dialog[open]') !== null) return
      // A space on a button presses the button.
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, button')) return
      const action = Object.hasOwn(present.current, event.key) ? present.current[event.key] : undefined
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Time between announcements: a screen reader must be able to finish one. */
const PAUSE_MS = 10_000
const MOST_AT_ONCE = 3

/** Tells screen readers about changes, a few at a time. */
function Announcer({ standings }: { readonly standings: Standings }) {
  const earlier = useRef(standings)
  const waiting = useRef<string[]>([])
  const [text, setText] = useState('')
  useEffect(() => {
    waiting.current.push(...describeChanges(earlier.current, standings))
    earlier.current = standings
  }, [standings])
  useEffect(() => {
    const timer = setInterval(() => {
      const all = waiting.current.splice(0)
      const rest = all.length - MOST_AT_ONCE
      const more = rest > 0 ? [`${rest} more ${rest === 1 ? 'change' : 'changes'}.`] : []
      if (all.length > 0) setText([...all.slice(0, MOST_AT_ONCE), ...more].join(' '))
    }, PAUSE_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <p class="spoken" role="status" aria-live="polite">
      {text}
    </p>
  )
}
