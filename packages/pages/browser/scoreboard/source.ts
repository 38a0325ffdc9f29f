import type { Schemas } from '@judge-data-layer/client'
import { JudgeApiError } from '@judge-data-layer/client/errors'
import {
  type ContestTimes,
  hasEndedSince,
  relateClocks,
  type ServiceTime,
  serviceNow,
} from '../shared/contest-clock.ts'
import { describeError, isRefusal, readVersioned, send, type Versioned } from '../shared/request.ts'
import type { Standings } from '../shared/standings-view.ts'

/** The result of a round of requests. */
export interface Board {
  readonly title: string
  readonly standings: Standings
  readonly times: ContestTimes
  readonly serviceTime: ServiceTime
}

/** The response to a scoreboard token. */
type ScoreboardClock = ContestTimes & { readonly title: string; readonly teams: boolean }

/** The clock is read again after this time, after the end, and after a change of the state. */
const CLOCK_MS = 10_000

/** No header can carry the token. */
class DamagedTokenError extends Error {}

/** Why the service refuses to show the standings; undefined if it does not refuse. */
export function describeRefusal(failure: unknown): string | undefined {
  const status = failure instanceof JudgeApiError ? failure.status : undefined
  if (failure instanceof DamagedTokenError || status === 401)
    return 'This address is not valid, or not any more. Make a new one with: judge contest scoreboard'
  return isRefusal(failure) ? `${describeError(failure)} The page keeps trying.` : undefined
}

export interface Address {
  readonly eventId: number
  readonly token: string | undefined
  /** Without a token nothing tells the page whether the contest has teams. */
  readonly byTeam: boolean
}

/**
 * Opens the routes of a scoreboard: with a token its own ones, else those of public contests. The
 * returned function reads everything at first, and then what may have changed.
 */
export function openSource({ eventId, token, byTeam }: Address) {
  const routes = token === undefined ? publicRoutes(eventId, byTeam) : tokenRoutes(eventId, token)
  let standings: Versioned<Standings> | undefined
  let path: string | undefined
  let clockReadMs = Number.NEGATIVE_INFINITY
  return async (known: Board | undefined, signal: AbortSignal): Promise<Board> => {
    // A header cannot carry other characters.
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw new DamagedTokenError()
    path ??= await routes.chooseStandings(signal)
    const earlierState = standings?.body.state
    standings = await readVersioned(path, standings, { headers: routes.headers, signal })
    const isFresh = performance.now() - clockReadMs < CLOCK_MS && earlierState === standings.body.state
    if (known !== undefined && isFresh && !endedSince(known))
      return known.standings === standings.body ? known : { ...known, standings: standings.body }
    const requestedMs = performance.now()
    const { title, times } = await routes.readClock(signal, known?.title)
    clockReadMs = performance.now()
    const serviceTime = relateClocks(times.now, requestedMs, clockReadMs)
    return { title, times, serviceTime, standings: standings.body }
  }
}

const endedSince = ({ times, serviceTime }: Board) =>
  hasEndedSince(times, serviceNow(serviceTime, performance.now()))

interface Routes {
  readonly headers: Record<string, string>
  chooseStandings(signal: AbortSignal): Promise<string>
  readClock(
    signal: AbortSignal,
    knownTitle: string | undefined,
  ): Promise<{ readonly title: string; readonly times: ContestTimes }>
}

function tokenRoutes(eventId: number, token: string): Routes {
  const base = `/v1/scoreboard/${eventId}`
  const headers = { Authorization: token }
  const readClock = async (signal: AbortSignal): Promise<ScoreboardClock> =>
    (await send(`${base}/clock`, { headers, signal })).json()
  return {
    headers,
    chooseStandings: async (signal) =>
      `${base}/standings${(await readClock(signal)).teams ? '?by=team' : ''}`,
    readClock: async (signal) => {
      const times = await readClock(signal)
      return { title: times.title, times }
    },
  }
}

function publicRoutes(eventId: number, byTeam: boolean): Routes {
  const base = `/v1/events/${eventId}`
  return {
    headers: {},
    chooseStandings: async () => `${base}/standings${byTeam ? '?by=team' : ''}`,
    readClock: async (signal, knownTitle) => {
      const times: Schemas['EventClock'] = await (await send(`${base}/clock`, { signal })).json()
      return { times, title: knownTitle ?? (await readTitle(eventId, signal)) }
    },
  }
}

/** Without a token only the Contest API tells the name of a public contest. */
async function readTitle(eventId: number, signal: AbortSignal): Promise<string> {
  const response = await send(`/v1/clics/contests/${eventId}`, { signal })
  const { name }: { readonly name: string } = await response.json()
  return name
}
