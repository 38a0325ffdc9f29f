import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../../config/config.ts'
import { AppError } from '../../../http/routing/errors.ts'
import { created, found, messageBody, notFound, ok } from '../../../http/routing/responses.ts'
import { defineRoute } from '../../../http/routing/route.ts'
import {
  Filled,
  IntegerId,
  MessageResponse,
  Nullable,
  OptionalBody,
  ResponseObject,
  Uuid,
} from '../../../http/routing/schema.ts'
import { defineListRoute } from '../../../lists/list-route.ts'
import { notAParticipant } from '../../shared/access/refusals.ts'
import type { FeatureDependencies } from '../../shared/dependencies.ts'
import { UserResponse } from '../../shared/records/users.ts'
import * as sql from './sql.ts'

const team = { id: Uuid(), event_id: IntegerId(), name: Type.String() }

const TeamListedResponse = ResponseObject(team, { title: 'ListedTeam' })

const TeamResponse = ResponseObject({ ...team, members: Type.Array(UserResponse) }, { title: 'Team' })

const TeamCreatedResponse = ResponseObject(
  { message: Type.String(), team_id: Uuid() },
  { title: 'CreatedTeam' },
)

const teamCreation = ({ nameCharacters }: Config['sizes']) =>
  Type.Object({ name: Filled({ maxLength: nameCharacters }) }, { title: 'TeamBody' })

/** Absent, `{}`, or the id of another user from an admin (D3, D36). */
const JoinBody = OptionalBody(
  {
    user_id: Nullable(Uuid(), { description: 'The user who joins, if an admin asks; else the caller.' }),
  },
  { title: 'JoinBody' },
)

/** The specification's Teams table, for events that have teams (D36). */
export function teamRoutes({ config }: Pick<FeatureDependencies, 'config'>) {
  return [...readingRoutes(), ...writingRoutes(config.sizes)]
}

function readingRoutes() {
  return [
    defineListRoute('listTeams', '/v1/events/:event_id/teams', {
      policy: 'user',
      list: sql.listTeams,
      item: TeamListedResponse,
      refusals: ['NOT_A_TEAM_EVENT'],
      check: async ({ db, params }) => {
        const { outcome } = found(await db.query(sql.readTeamEvent, params), 'event')
        if (outcome === 'no_teams') throw noTeams()
      },
    }),
    defineRoute('readOwnTeam', 'GET /v1/events/:event_id/teams/me', {
      policy: 'user',
      responses: { 200: TeamResponse },
      refusals: ['NOT_A_TEAM_EVENT'],
      handler: async ({ db, params }) => teamResponse(await db.query(sql.readOwnTeam, params)),
    }),
    defineRoute('readTeam', 'GET /v1/events/:event_id/teams/:team_id', {
      policy: 'user',
      responses: { 200: TeamResponse },
      refusals: ['NOT_A_TEAM_EVENT'],
      handler: async ({ db, params }) => teamResponse(await db.query(sql.readTeam, params)),
    }),
  ]
}

function writingRoutes(sizes: Config['sizes']) {
  return [
    defineRoute('createTeam', 'POST /v1/events/:event_id/teams', {
      policy: 'user',
      body: teamCreation(sizes),
      responses: { 201: TeamCreatedResponse },
      refusals: [
        'NOT_A_TEAM_EVENT',
        'NOT_A_PARTICIPANT',
        'EVENT_ENDED',
        'TEAM_NAME_TAKEN',
        'ALREADY_ON_TEAM',
      ],
      handler: async ({ db, params, body }) => {
        const id = uuidv7()
        const values = { ...params, id, name: body.name.trim() }
        const { outcome } = found(await db.query(sql.createTeam, values), 'event')
        if (outcome !== 'joined') throw refusalOf(outcome, 'You are on a team of the event already')
        return created(messageBody('The team was created, and you joined it', { team_id: id }))
      },
    }),
    defineRoute('joinTeam', 'POST /v1/events/:event_id/teams/:team_id/join', {
      policy: 'user',
      body: JoinBody,
      responses: { 201: MessageResponse },
      refusals: ['FORBIDDEN', 'NOT_A_TEAM_EVENT', 'NOT_A_PARTICIPANT', 'EVENT_ENDED', 'ALREADY_ON_TEAM'],
      handler: async ({ db, actor, params, body }) => {
        const user_id = body.user_id ?? actor.id
        if (user_id !== actor.id && actor.role !== 2) {
          throw new AppError('FORBIDDEN', 'Only an admin may let another user join')
        }
        const { outcome } = found(await db.query(sql.joinTeam, { ...params, user_id }), 'event')
        if (outcome !== 'joined') throw refusalOf(outcome, 'The user is on a team of the event already')
        return created(messageBody('Joined the team'))
      },
    }),
  ]
}

const ENDED = 'The event has ended: only its staff changes teams'

const noTeams = () => new AppError('NOT_A_TEAM_EVENT', 'The event has no teams')

function teamResponse(rows: { outcome: 'found' | 'no_teams' | 'no_team'; body: string | null }[]) {
  const { outcome, body } = found(rows, 'event')
  if (outcome === 'no_teams') throw noTeams()
  return ok(found(body === null ? [] : [body], 'team in the event'))
}

type Refused = 'no_teams' | 'not_admitted' | 'ended' | 'no_team' | 'no_user' | 'already_on_team'

function refusalOf(outcome: Refused, alreadyOnTeam: string): AppError {
  if (outcome === 'no_teams') return noTeams()
  if (outcome === 'not_admitted') return notAParticipant()
  if (outcome === 'ended') return new AppError('EVENT_ENDED', ENDED)
  if (outcome === 'already_on_team') return new AppError('ALREADY_ON_TEAM', alreadyOnTeam)
  return notFound(outcome === 'no_team' ? 'team in the event' : 'user')
}
