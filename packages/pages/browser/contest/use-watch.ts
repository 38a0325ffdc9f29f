import type { JudgeClient } from '@judge-data-layer/client'
import { type WatchEvent, watch } from '@judge-data-layer/client/watch'
import { useEffect, useRef } from 'preact/hooks'
import type { ContestData } from './contest-data.ts'

/** Everybody hears of changed standings at the same moment: requests are spread over this time. */
const SPREAD_MS = 5000
/** The standings of a large contest change all the time: at least this time between requests. */
const STANDINGS_MS = 30_000

/** Follows the changes of a contest, and reads again what has changed. */
export function useWatch(client: JudgeClient, eventId: number, data: ContestData): void {
  const present = useRef(data)
  present.current = data
  useEffect(() => {
    const ending = new AbortController()
    const reloadStandings = slowly(() => present.current.standings.reload(), ending.signal)
    const follow = async () => {
      for await (const event of watch(client, { eventId, signal: ending.signal })) {
        for (const name of namesOf(event)) {
          if (name === 'standings' && event.type === 'tags') reloadStandings()
          else present.current[name].reload()
        }
      }
    }
    // A refusal, such as 401: the resources get the same one, and show it.
    follow().catch(() => {
      if (!ending.signal.aborted) for (const one of Object.values(present.current)) one.reload()
    })
    return () => ending.abort()
  }, [client, eventId])
}

type Name = keyof ContestData

/** The parts to read again after an event. */
function namesOf(event: WatchEvent): Name[] {
  switch (event.type) {
    case 'ready':
    case 'reset':
      return ['event', 'clock', 'problems', 'submissions', 'questions', 'standings']
    case 'submission':
      return ['submissions']
    case 'question':
    case 'announcement':
    case 'notification':
      return ['questions']
    case 'clock':
      return ['event', 'clock', 'problems', 'standings']
    case 'tags':
      return [
        ...(event.data.problems === undefined ? [] : (['problems'] as const)),
        ...((event.data.standings ?? event.data.standings_by_team) === undefined
          ? []
          : (['standings'] as const)),
      ]
  }
}

/** Calls after a random time, and not too often. */
function slowly(action: () => void, signal: AbortSignal): () => void {
  let lastMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(timer))
  return () => {
    if (timer !== undefined) return
    const waitMs = Math.max(lastMs + STANDINGS_MS - performance.now(), 0) + Math.random() * SPREAD_MS
    timer = setTimeout(() => {
      timer = undefined
      lastMs = performance.now()
      action()
    }, waitMs)
  }
}
