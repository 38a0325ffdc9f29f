import { useEffect, useRef, useState } from 'preact/hooks'
import { describeChanges, type Standings } from '../shared/standings-view.ts'

/** Time between announcements: a screen reader must be able to finish one. */
const PAUSE_MS = 10_000
const MOST_AT_ONCE = 3

/** Tells screen readers about changes, a few at a time. */
export function Announcer({ standings }: { readonly standings: Standings }) {
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
