import type { JudgeClient } from '@judge-data-layer/client'
import { JudgeApiError, orThrow } from '@judge-data-layer/client/errors'
import { useCallback, useEffect } from 'preact/hooks'
import { relateClocks } from '../shared/contest-clock.ts'
import { useResource } from '../shared/poll.ts'
import type { ContestData } from './contest-data.ts'
import { useWatch } from './use-watch.ts'

export interface ContestOptions {
  readonly client: JudgeClient
  readonly eventId: number
  readonly userId: string
  readonly onSignOut: (reason: string) => void
}

/** More submissions than anybody sends in a contest. */
const MOST_SUBMISSIONS = 500

/** Reads a contest and follows its changes. A refused token signs out. */
export function useContest({ client, eventId, userId, onSignOut }: ContestOptions): ContestData {
  const path = { event_id: eventId }
  const use = <T>(read: () => Promise<T>) => useResource(useCallback(read, [client, eventId, userId]))
  const event = use(() => orThrow(client.GET('/v1/public/events/{event_id}', { params: { path } })))
  const clock = use(async () => {
    const requestedMs = performance.now()
    const times = await orThrow(client.GET('/v1/events/{event_id}/clock', { params: { path } }))
    return { times, serviceTime: relateClocks(times.now, requestedMs, performance.now()) }
  })
  const problems = use(() => orThrow(client.GET('/v1/events/{event_id}/problems', { params: { path } })))
  const languages = use(() => orThrow(client.GET('/v1/languages')))
  const submissions = use(async () => {
    const params = { path: { user_id: userId }, query: { limit: MOST_SUBMISSIONS } }
    const all = await orThrow(client.GET('/v1/user_submissions/{user_id}', { params }))
    return all.filter(({ event_id }) => event_id === eventId)
  })
  const questions = use(() => orThrow(client.GET('/v1/events/{event_id}/questions', { params: { path } })))
  const byTeam = event.data?.teams
  const readStandings = useCallback(() => {
    const query = { by: byTeam ? ('team' as const) : ('user' as const) }
    return orThrow(client.GET('/v1/events/{event_id}/standings', { params: { path, query } }))
  }, [client, eventId, byTeam])
  const standings = useResource(byTeam === undefined ? undefined : readStandings)
  const data = { event, clock, problems, languages, submissions, questions, standings }
  useWatch(client, eventId, data)
  useEffect(() => {
    const timer = setInterval(clock.reload, HEARTBEAT_MS)
    return () => clearInterval(timer)
  }, [clock.reload])
  const isSignedOut = Object.values(data).some(({ failure }) => isRefusedToken(failure))
  useEffect(() => {
    if (isSignedOut) onSignOut('Your login is no longer valid. Log in again.')
  }, [isSignedOut, onSignOut])
  return data
}

/** How often the clock is read: a silent stream does not tell that the service is lost. */
const HEARTBEAT_MS = 10_000

const isRefusedToken = (failure: unknown) => failure instanceof JudgeApiError && failure.status === 401
