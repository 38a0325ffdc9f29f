import type { Statement } from '../../../db/statement.ts'
import { bind } from '../../../db/statement.ts'
import type { List, ListStatement, StateStatement } from '../../../lists/definition.ts'
import type { PolledDocument } from '../../../lists/document.ts'
import { hashQuery, writeEntityTag } from '../../../lists/entity-tag.ts'
import { listEventProblems } from '../../contests/event-problems/sql.ts'
import { listAttempts, listProblemStats } from '../../contests/standings/attempts-sql.ts'
import { readStandingsByTeam, readStandingsByUser } from '../../contests/standings/standings-sql.ts'

type OfEvent = { readonly event_id: number }

/** A polled route of an event, whose entity tag the streams tell. */
interface Polled<N extends string> {
  readonly name: N
  readonly source: { readonly version: StateStatement }
  readonly statement: ListStatement
  /** The route needs no token if the contest's scoreboard is public. */
  readonly isPublic: boolean
}

const ofDocument = <N extends string>(name: N, source: PolledDocument<OfEvent>): Polled<N> => ({
  ...{ name, source, statement: source.statement },
  isPublic: true,
})

function ofList<N extends string>(name: N, { version, whole }: List<OfEvent>): Polled<N> {
  if (version === undefined) throw new Error(`${name} is not polled`)
  return { name, source: { version }, statement: whole, isPublic: false }
}

/** The polled routes of an event by the names that the event `tags` gives them. */
export const POLLED = [
  ofDocument('standings', readStandingsByUser),
  ofDocument('standings_by_team', readStandingsByTeam),
  ofList('attempts', listAttempts),
  ofList('problems_stats', listProblemStats),
  ofList('problems', listEventProblems),
] as const

export type PolledName = (typeof POLLED)[number]['name']

/** Entity tags as the routes send them; absent: the caller may not read the route. */
export type Tags = Partial<Record<PolledName, string>>

/** The entity tags of an event's routes from their versions. */
export function tagsOf(eventId: number, versions: Readonly<Record<PolledName, string | null>>): Tags {
  const tags: Tags = {}
  for (const { name, statement } of POLLED) {
    const version = versions[name]
    if (version !== null) tags[name] = writeEntityTag(hashOf(statement, eventId), version)
  }
  return tags
}

/** As a request without a query is hashed. */
function hashOf(statement: Statement, eventId: number): string {
  return hashQuery(statement.text, bind(statement, { event_id: eventId }))
}
