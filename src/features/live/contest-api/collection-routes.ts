import Type, { type TSchema } from 'typebox'
import { contestApiErrorBody } from '../../../http/routing/errors.ts'
import { found, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute, type RequestContext } from '../../../http/routing/route.ts'
import { readDocument } from '../../../lists/response.ts'
import { takeTurn } from '../../../lists/turns.ts'
import { readAwards } from './awards.ts'
import type { Collections } from './collections.ts'
import { readContestView } from './contest-sql.ts'
import { CONTEST_API_POLICY } from './policy.ts'
import { filtersOf, respondWithCollection, respondWithObject } from './read-objects.ts'
import { ObjectPath, objectSchemas } from './schemas.ts'

type Plural = Exclude<keyof typeof objectSchemas, 'contest' | 'state' | 'awards'>

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
    ...awardsRoutes(),
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

/** The awards and each of them; the text of all is kept until the standings change. */
function awardsRoutes() {
  return [
    defineRoute('listContestAwards', 'GET /v1/clics/contests/:event_id/awards', {
      policy: CONTEST_API_POLICY,
      pool: 'lists',
      query: filtersOf('awards'),
      responses: { 200: Type.Array(objectSchemas.awards) },
      handler: async (ctx) => ok(await readText(ctx)),
    }),
    defineRoute('readContestAward', 'GET /v1/clics/contests/:event_id/awards/:id', {
      policy: CONTEST_API_POLICY,
      pool: 'lists',
      params: ObjectPath,
      responses: { 200: objectSchemas.awards },
      handler: async (ctx) => {
        const awards: { id: string }[] = JSON.parse(await readText(ctx))
        const named = awards.filter(({ id }) => id === ctx.params.id)
        return ok(JSON.stringify(found(named, 'object in the contest')))
      },
    }),
  ] as const
}

type Context = RequestContext<typeof CONTEST_API_POLICY, { event_id: number }, unknown, undefined>

function readText({ db, request, params }: Context): Promise<string> {
  const { cache } = request.server.lists
  const enter = async () => void (await takeTurn(request))
  return readDocument({ db, cache }, readAwards, { event_id: params.event_id }, enter)
}
