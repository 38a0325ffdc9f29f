import Type from 'typebox'
import type { ActorDatabase } from '../../../http/routing/actor.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { found, notFound, ok, type RouteResponse } from '../../../http/routing/responses.ts'
import { Written } from '../../../http/routing/schema.ts'
import { LIST_LIMIT_BYTES } from '../../../lists/definition.ts'
import type { Collection, ObjectRow, ObjectType } from './collection.ts'
import { readContestView } from './contest-sql.ts'

/** The properties of type ID by which the collections of each type can be filtered. */
const filters: { readonly [T in ObjectType]?: readonly string[] } = {
  contest: ['main_scoreboard_group_id'],
  accounts: ['team_id', 'person_id'],
  submissions: ['language_id', 'problem_id', 'team_id', 'account_id'],
  judgements: ['submission_id', 'judgement_type_id'],
  runs: ['judgement_id', 'judgement_type_id'],
  clarifications: ['from_team_id', 'reply_to_id', 'problem_id'],
}

/** The query of a collection: properties that its objects must have; an empty text means absent. */
export const filtersOf = (type: ObjectType) =>
  Type.Object(
    Object.fromEntries(
      (filters[type] ?? []).map((name) => [
        name,
        Type.Optional(
          Written({ maxLength: 36, description: 'Only objects with this value; empty: without one.' }),
        ),
      ]),
    ),
  )

/** Properties of objects with the values that they must have; '' means absent. */
export type Filters = Readonly<Record<string, string | undefined>>

/** The filters as parameters of a statement. */
export function filterValues(filters: Filters) {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  if (given.length === 0) return {}
  return {
    filter_names: given.map(([name = '']) => name),
    filter_values: given.map(([, value = '']) => value),
  }
}

/** Responds with a whole collection. Throws NOT_FOUND where the actor may not read the contest. */
export async function respondWithCollection(
  db: ActorDatabase,
  collection: Collection,
  event_id: number,
  filters: Filters,
): Promise<RouteResponse> {
  const rows = await readFiltered(db, collection, event_id, filters)
  if (rows.length === 0) found(await db.query(readContestView, { event_id }), 'contest')
  const body = `[${rows.map(({ item }) => item).join(',')}]`
  if (body.length > LIST_LIMIT_BYTES)
    throw new AppError('VALIDATION', 'The collection is too long: filter it')
  return ok(body)
}

async function readFiltered(
  db: ActorDatabase,
  { all, named, keyFilter }: Collection,
  event_id: number,
  filters: Filters,
): Promise<readonly ObjectRow[]> {
  const value = keyFilter && filters[keyFilter.name]
  if (keyFilter === undefined || value === undefined)
    return db.query(all, { event_id, ...filterValues(filters) })
  const key = keyFilter.keyOf(value)
  if (key === undefined) return []
  const rows = await db.query(named, { event_id, keys: [key] })
  return rows.filter(({ item }) => hasValues(JSON.parse(item), filters))
}

/** As `MATCHES_FILTERS`. */
function hasValues(object: Readonly<Record<string, unknown>>, filters: Filters): boolean {
  return Object.entries(filters).every(
    ([name, value]) => value === undefined || String(object[name] ?? '') === value,
  )
}

/** Responds with one object. Throws NOT_FOUND. */
export async function respondWithObject(
  db: ActorDatabase,
  { named, keyOf }: Collection,
  event_id: number,
  id: string,
): Promise<RouteResponse> {
  const key = keyOf(id)
  if (key === undefined) throw notFound('object in the contest')
  const rows = await db.query(named, { event_id, keys: [key] })
  return ok(
    found(
      rows.filter((row) => row.id === id),
      'object in the contest',
    ).item,
  )
}

/** Responds with the one object of `contest` or `state`. Throws NOT_FOUND. */
export async function respondWithSingleton(
  db: ActorDatabase,
  { all }: Collection,
  event_id: number,
): Promise<RouteResponse> {
  return ok(found(await db.query(all, { event_id }), 'contest').item)
}
