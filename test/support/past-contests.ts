import { v7 as uuidv7 } from 'uuid'
import type { Person } from './app.ts'
import { objectsOf } from './contest-api.ts'
import { contestWithTeams, createContest, isoIn } from './contests.ts'
import { storeSubmission } from './standings.ts'

/** Two hours, over an hour ago. */
const past = () => ({ start_time: isoIn(-180), end_time: isoIn(-60) })

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
    /** A contest of the three people, whose staff is `user`. */
    async contestWith(rows: Row[], fields: object = {}) {
      const problems = tasks.map((problem_id) => ({ problem_id }))
      const eventId = await createContest(contests, problems, { ...past(), staff: [user.id], ...fields })
      for (const person of [anna, bert, carl]) await contests.register(person, eventId)
      const store = async ([person, task, minute, status, score]: Row) => {
        const id = uuidv7()
        const by = { id, user_id: person.id, problem_id: tasks[task] ?? 0 }
        await storeSubmission(service, eventId, { ...by, minute, status, score })
        return id
      }
      for (const row of rows) await store(row)
      const thaw = (query = '') => admin.post(`/v1/events/${eventId}/thaw${query}`, undefined, 200)
      return { eventId, store, thaw, objects: objectsOf(eventId) }
    },
  }
}
