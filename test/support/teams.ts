import type { Person } from './app.ts'
import { serviceWithContests } from './contests.ts'

export interface Team {
  readonly id: string
  readonly url: string
  readonly creator: Person
}

/** A service with a running team event, and short ways to set up teams. */
export async function contestWithTeams() {
  const contests = await serviceWithContests()
  const createTeamEvent = () => contests.createEvent({ teams: true })
  const event = await createTeamEvent()
  return {
    ...{ ...contests, event, createTeamEvent },
    /** Creates a team with one member, a new user by default. */
    async createTeam(name: string, eventId = event, creator?: Person): Promise<Team> {
      const by = creator ?? (await contests.service.createPerson())
      const url = `/v1/events/${eventId}/teams`
      const { team_id: id } = await by.post(url, { name }, 201)
      return { id, url: `${url}/${id}`, creator: by }
    },
    async memberIds({ url }: { readonly url: string }): Promise<string[]> {
      const { members } = await contests.admin.get(url)
      return members.map(({ id }: Person) => id)
    },
  }
}
