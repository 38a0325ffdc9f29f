import Type from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../config/config.ts'
import { isViolation } from '../../db/errors.ts'
import { AppError } from '../../http/routing/errors.ts'
import { answerList, created, found, ok } from '../../http/routing/responses.ts'
import { defineRoute, type Route } from '../../http/routing/route.ts'
import { NoFields, PageQuery } from '../../http/routing/schema.ts'
import { teamDocs } from '../../openapi/operations/teams.ts'
import { EventPath, MessageResponse } from '../events/schemas.ts'
import {
  JoinBody,
  TeamCreatedResponse,
  TeamListedResponse,
  TeamPath,
  TeamResponse,
  teamCreation,
} from './schemas.ts'
import {
  createTeam,
  joinTeam,
  listTeams,
  readOwnTeam,
  readTeam,
  readTeamEvent,
  type TeamRead,
} from './sql.ts'

/** The specification's Teams table, for events that have teams (D36). */
export function teamRoutes({ config }: { readonly config: Pick<Config, 'sizes'> }): Route[] {
  return [...readingRoutes(), ...writingRoutes(config.sizes)]
}

function readingRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id/teams',
      name: 'listTeams',
      summary: 'List the teams of an event',
      docs: teamDocs.listTeams,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: PageQuery,
        body: undefined,
        answers: { 200: Type.Array(TeamListedResponse) },
        refusals: ['NOT_FOUND', 'NOT_A_TEAM_EVENT'],
      },
      handler: async (ctx) => {
        requireTeams(found(await ctx.db.ask(readTeamEvent, [ctx.params.event_id]), 'event'))
        return answerList(ctx, listTeams, [ctx.params.event_id], 'event')
      },
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id/teams/me',
      name: 'readOwnTeam',
      summary: 'Read the caller’s own team with its members',
      docs: teamDocs.readOwnTeam,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: NoFields,
        body: undefined,
        answers: { 200: TeamResponse },
        refusals: ['NOT_FOUND', 'NOT_A_TEAM_EVENT'],
      },
      handler: async ({ db, params }) => answerTeam(await db.ask(readOwnTeam, [params.event_id])),
    }),
    defineRoute({
      method: 'GET',
      url: '/v1/events/:event_id/teams/:team_id',
      name: 'readTeam',
      summary: 'Read a team with its members',
      docs: teamDocs.readTeam,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: TeamPath,
        query: NoFields,
        body: undefined,
        answers: { 200: TeamResponse },
        refusals: ['NOT_FOUND', 'NOT_A_TEAM_EVENT'],
      },
      handler: async ({ db, params }) =>
        answerTeam(await db.ask(readTeam, [params.event_id, params.team_id])),
    }),
  ]
}

function writingRoutes(sizes: Config['sizes']): Route[] {
  return [
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/teams',
      name: 'createTeam',
      summary: 'Make a team and be its first member',
      docs: teamDocs.createTeam,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: EventPath,
        query: NoFields,
        body: teamCreation(sizes),
        answers: { 201: TeamCreatedResponse },
        refusals: ['NOT_FOUND', 'NOT_A_TEAM_EVENT', 'TEAM_NAME_TAKEN', 'ALREADY_ON_TEAM'],
      },
      handler: async ({ db, params, body }) => {
        const id = uuidv7()
        const rows = await db.ask(createTeam, [params.event_id, id, body.name.trim()]).catch(refuseTakenName)
        const change = found(rows, 'event')
        requireTeams(change)
        if (!change.has_user) throw new AppError('NOT_FOUND', 'There is no such user')
        if (!change.done) throw new AppError('ALREADY_ON_TEAM', 'You are on a team of the event already')
        return created(JSON.stringify({ message: 'The team is made, and you are on it', team_id: id }))
      },
    }),
    defineRoute({
      method: 'POST',
      url: '/v1/events/:event_id/teams/:team_id/join',
      name: 'joinTeam',
      summary: 'Join a team; an admin may let another user join',
      docs: teamDocs.joinTeam,
      policy: 'user',
      limit: 'none',
      bodyLimit: 'body',
      schema: {
        params: TeamPath,
        query: NoFields,
        body: JoinBody,
        answers: { 201: MessageResponse },
        refusals: ['FORBIDDEN', 'NOT_FOUND', 'NOT_A_TEAM_EVENT', 'ALREADY_ON_TEAM'],
      },
      handler: async ({ db, actor, params, body }) => {
        const userId = body.user_id ?? actor.id
        if (userId.toLowerCase() !== actor.id && actor.role !== 2) {
          throw new AppError('FORBIDDEN', 'Only an admin may let another user join')
        }
        const change = found(await db.ask(joinTeam, [params.event_id, params.team_id, userId]), 'event')
        requireTeams(change)
        if (!change.has_team) throw new AppError('NOT_FOUND', 'There is no such team in the event')
        if (!change.has_user) throw new AppError('NOT_FOUND', 'There is no such user')
        if (!change.done) throw new AppError('ALREADY_ON_TEAM', 'The user is on a team of the event already')
        return created(JSON.stringify({ message: 'Joined the team' }))
      },
    }),
  ]
}

function requireTeams({ has_teams }: { has_teams: boolean }): void {
  if (!has_teams) throw new AppError('NOT_A_TEAM_EVENT', 'The event has no teams')
}

function answerTeam(rows: TeamRead[]) {
  const read = found(rows, 'event')
  requireTeams(read)
  return ok(found(read.body === null ? [] : [read.body], 'team in the event'))
}

function refuseTakenName(err: unknown): never {
  if (isViolation(err, 'teams_event_id_name_key')) {
    throw new AppError('TEAM_NAME_TAKEN', 'Another team of the event has this name')
  }
  throw err
}
