import type { Person } from './app.ts'
import { type ContestService, serviceWithContests } from './contests.ts'

export interface Team {
  readonly id: string
  readonly url: string
  readonly creator: Person
}

/** A service with a running team event, and short ways to set up teams. */
export interface TeamContest extends ContestService {
  readonly event: number
  createTeamEvent(): Promise<number>
  /** Creates a team with one member, a new user by default. */
  createTeam(name: string, eventId?: number, creator?: Person): Promise<Team>
  memberIds(team: { readonly url: string }): Promise<string[]>
}

/** Opens an application for tests of teams. */
export async function contestWithTeams(): Promise<TeamContest> {
  const contests = await serviceWithContests()
  const createTeamEvent = () => contests.createEvent({ teams: true })
  const event = await createTeamEvent()
  return {
    ...{ ...contests, event, createTeamEvent },
    async createTeam(name, eventId = event, creator) {
      const by = creator ?? (await contests.service.createPerson())
      const url = `/v1/events/${eventId}/teams`
      const { team_id: id } = await by.post(url, { name }, 201)
      return { id, url: `${url}/${id}`, creator: by }
    },
    async memberIds({ url }) {
      const { members } = await contests.admin.get(url)
      return members.map(({ id }: Person) => id)
    },
  }
}
