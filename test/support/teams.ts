import { expect } from 'vitest'
import type { Person, TestResponse } from './app.ts'
import { type Caller, type ContestService, serviceWithContests } from './contests.ts'

export interface Team {
  readonly id: string
  readonly creator: Person
}

/** What a test of teams needs: a running team event, and the ways to its teams, those of another event where one is named. */
export interface TeamContest extends ContestService {
  readonly event: number
  createTeamEvent(): Promise<number>
  list(by: Caller, eventId?: number, query?: string): Promise<TestResponse>
  create(by: Caller, name: unknown, eventId?: number): Promise<TestResponse>
  join(by: Caller, teamId: string, body?: unknown, eventId?: number): Promise<TestResponse>
  read(by: Caller, teamId: string, eventId?: number): Promise<TestResponse>
  readOwn(by: Caller, eventId?: number): Promise<TestResponse>
  /** Makes a team with its first member, a new user. */
  createTeam(name: string, eventId?: number): Promise<Team>
  memberIds(teamId: string, eventId?: number): Promise<string[]>
}

export async function contestWithTeams(): Promise<TeamContest> {
  const people = await serviceWithContests()
  const { admin, get, post, service } = people
  const createTeamEvent = () => people.createEvent({ teams: true })
  const event = await createTeamEvent()
  const url = (eventId = event) => `/v1/events/${eventId}/teams`
  const create: TeamContest['create'] = (by, name, eventId) => post(by, url(eventId), { name })
  const read: TeamContest['read'] = (by, teamId, eventId) => get(by, `${url(eventId)}/${teamId}`)
  return {
    ...{ ...people, event, createTeamEvent, create, read },
    list: (by, eventId, query = '') => get(by, `${url(eventId)}${query}`),
    join: (by, teamId, body, eventId) => post(by, `${url(eventId)}/${teamId}/join`, body),
    readOwn: (by, eventId) => get(by, `${url(eventId)}/me`),
    async createTeam(name, eventId) {
      const creator = await service.createPerson()
      const made = await create(creator, name, eventId)
      expect(made.status, made.text).toBe(201)
      return { id: made.body.team_id, creator }
    },
    async memberIds(teamId, eventId) {
      const { status, body } = await read(admin, teamId, eventId)
      expect(status).toBe(200)
      return body.members.map(({ id }: Person) => id)
    },
  }
}
