import Type, { type TSchema } from 'typebox'
import { contestApiErrorBody } from '../../../http/routing/errors.ts'
import { found, notFound } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import { IntegerId } from '../../../http/routing/schema.ts'
import { takeTurn } from '../../../lists/turns.ts'
import type { Collections } from './collections.ts'
import { readContestView } from './contest-sql.ts'
import { filtersOf } from './filters.ts'
import { CONTEST_API_POLICY } from './policy.ts'
import { respondWithCollection, respondWithObject } from './read-objects.ts'
import { ObjectId, objectSchemas } from './schemas.ts'

const ObjectPath = Type.Object({ event_id: IntegerId(), id: ObjectId() })

type Plural = Exclude<keyof typeof objectSchemas, 'contest' | 'state'>

/** A route for each collection, one for each of its objects, and the caller's own account. */
export function collectionRoutes(collections: Collections) {
  const both = <const L extends string, const O extends string>(type: Plural, list: L, read: O) =>
    [listRoute(collections, type, list), objectRoute(collections, type, read)] as const
  return [
    ...both('judgement-types', 'listJudgementTypes', 'readJudgementType'),
    ...both('languages', 'listContestLanguages', 'readContestLanguage'),
    ...both('problems', 'listContestProblems', 'readContestProblem'),
    ...both('groups', 'listContestGroups', 'readContestGroup'),
    // There is none to read: a path of one gets 404 without a route.
    listRoute(collections, 'organizations', 'listContestOrganizations'),
    ...both('teams', 'listContestTeams', 'readContestTeam'),
    ...both('persons', 'listContestPersons', 'readContestPerson'),
    ...both('accounts', 'listContestAccounts', 'readContestAccount'),
    ownAccountRoute(collections),
    ...both('submissions', 'listContestSubmissions', 'readContestSubmission'),
    ...both('judgements', 'listContestJudgements', 'readContestJudgement'),
    ...both('runs', 'listContestRuns', 'readContestRun'),
    ...both('clarifications', 'listContestClarifications', 'readContestClarification'),
    ...both('awards', 'listContestAwards', 'readContestAward'),
  ] as const
}

function listRoute<const N extends string>(collections: Collections, type: Plural, name: N) {
  const item: TSchema = objectSchemas[type]
  return defineRoute(name, `GET /v1/clics/contests/:event_id/${type}`, {
    policy: CONTEST_API_POLICY,
    pool: 'lists',
    query: filtersOf(type),
    responses: { 200: Type.Array(item) },
    handler: async ({ db, request, params, query }) => {
      const turn = await takeTurn(request)
      return turn.build(() => respondWithCollection(db, collections[type], params.event_id, query))
    },
  })
}

function objectRoute<const N extends string>(collections: Collections, type: Plural, name: N) {
  const item: TSchema = objectSchemas[type]
  return defineRoute(name, `GET /v1/clics/contests/:event_id/${type}/:id`, {
    policy: CONTEST_API_POLICY,
    params: ObjectPath,
    responses: { 200: item },
    handler: ({ db, params }) => respondWithObject(db, collections[type], params.event_id, params.id),
  })
}

/** Callers without a credential get 404, not 401: they have no account (Contest API, Accounts). */
function ownAccountRoute(collections: Collections) {
  return defineRoute('readOwnContestAccount', 'GET /v1/clics/contests/:event_id/account', {
    policy: CONTEST_API_POLICY,
    responses: { 200: objectSchemas.accounts },
    handler: async ({ db, actor, params }) => {
      if (actor === undefined) {
        found(await db.query(readContestView, params), 'contest')
        return { status: 404, body: JSON.stringify(contestApiErrorBody(notFound('account'))) }
      }
      return respondWithObject(db, collections.accounts, params.event_id, actor.id)
    },
  })
}
