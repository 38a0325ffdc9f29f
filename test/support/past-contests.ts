import { v7 as uuidv7 } from 'uuid'
import type { Person } from './app.ts'
import { objectsOf } from './contest-api.ts'
import { contestWithTeams, createContest, isoIn, scheduled } from './contests.ts'
import { storeSubmission } from './standings.ts'

/** Two hours, over an hour ago. */
const past = () => ({ start_time: isoIn(-180), end_time: isoIn(-60) })

const timesIn = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => field.endsWith('_time')))

/** A freeze from this minute of a past contest on. */
export const freezeAt = (minute: number) => ({ freeze_time: isoIn(-180 + minute) })

/** A submission at a minute of a past contest, to its first or second problem. */
export type Row = [person: Person, task: number, minute: number, status: string, score?: number]

/** A service with three people, and past contests of two problems with submissions. */
export async function serviceWithPastContests() {
  const contests = await contestWithTeams()
  const { service, admin, user, problem } = contests
  const tasks = [problem.id, (await contests.createProblem()).id]
  const { createPerson } = service
  const [anna, bert, carl] = [await createPerson(), await createPerson(), await createPerson()]
  return {
    ...{ contests, tasks, anna, bert, carl },
    /**
     * A contest of the three people, whose staff is `user`. `teams` are made before its end: the
     * first member of each creates it.
     */
    async contestWith(rows: Row[], fields: object = {}, teams: Readonly<Record<string, Person[]>> = {}) {
      const times = { ...past(), ...timesIn(fields) }
      const problems = tasks.map((problem_id) => ({ problem_id }))
      const eventId = await createContest(contests, problems, { staff: [user.id], ...fields, ...scheduled() })
      const url = `/v1/events/${eventId}`
      for (const { id } of [anna, bert, carl]) await admin.post(`${url}/participants`, { user_id: id }, 201)
      const teamIds: string[] = []
      for (const [name, [creator, ...mates]] of Object.entries(teams)) {
        const { team_id } = await (creator ?? anna).post(`${url}/teams`, { name }, 201)
        for (const mate of mates) await mate.post(`${url}/teams/${team_id}/join`, undefined, 201)
        teamIds.push(team_id)
      }
      await admin.put(url, times, 200)
      const store = async ([person, task, minute, status, score]: Row) => {
        const id = uuidv7()
        const by = { id, user_id: person.id, problem_id: tasks[task] ?? 0 }
        await storeSubmission(service, eventId, { ...by, minute, status, score })
        return id
      }
      for (const row of rows) await store(row)
      const thaw = (query = '') => admin.post(`/v1/events/${eventId}/thaw${query}`, undefined, 200)
      return { eventId, store, thaw, objects: objectsOf(eventId), teamIds }
    },
  }
}
