import { bind } from '../../../db/statement.ts'
import type { List, StateStatement } from '../../../lists/definition.ts'
import { hashQuery } from '../../../lists/entity-tag.ts'
import type { WrittenList } from '../../../lists/written-list.ts'
import { listEventProblems } from '../../contests/event-problems/sql.ts'
import { listAttempts, listProblemStats } from '../../contests/standings/attempts.ts'
import { readStandings } from '../../contests/standings/documents.ts'

type OfEvent = { readonly event_id: number }

/** A polled route of an event, whose entity tag the streams tell. */
interface Polled<N extends string> {
  readonly name: N
  readonly version: StateStatement
  /** As a request without a query is hashed. */
  readonly hash: (event_id: number) => string
  /** The route needs no token if the contest's scoreboard is public. */
  readonly isPublic: boolean
}

function polled<N extends string>(
  name: N,
  version: StateStatement | undefined,
  hash: Polled<N>['hash'],
  isPublic = false,
): Polled<N> {
  if (version === undefined) throw new Error(`${name} is not polled`)
  return { name, version, hash, isPublic }
}

const ofWritten = <N extends string>(name: N, { version, hash }: WrittenList<OfEvent>, isPublic = false) =>
  polled(name, version, (event_id) => hash({ event_id }), isPublic)

const ofList = <N extends string>(name: N, { version, whole }: List<OfEvent>) =>
  polled(name, version, (event_id) => hashQuery(whole.text, bind(whole, { event_id })))

/** The polled routes of an event by the names that the event `tags` gives them. */
export const POLLED = [
  ofWritten('standings', readStandings.user, true),
  ofWritten('standings_by_team', readStandings.team, true),
  ofWritten('attempts', listAttempts),
  ofWritten('problems_stats', listProblemStats),
  ofList('problems', listEventProblems),
] as const

export type PolledName = (typeof POLLED)[number]['name']

/** Entity tags as the routes send them; absent: the caller may not read the route. */
export type Tags = Partial<Record<PolledName, string>>
