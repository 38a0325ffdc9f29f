import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { createContest, isoIn, serviceWithContests } from '../support/contests.ts'
import { storeSubmission } from '../support/standings.ts'

const contests = await serviceWithContests()
const { service, admin, stranger, problem } = contests
const second = await contests.createProblem()
/** The first solves a problem before the freeze: the other two are below. */
const leader = await service.createPerson()
const [last, lastMate] = [await service.createPerson(), await service.createPerson()]

type Row = [person: Person, problem_id: number, minute: number, status: string]

const rows: Row[] = [
  [leader, problem.id, 20, 'ACCEPTED'],
  [leader, second.id, 70, 'ACCEPTED'],
  [last, problem.id, 30, 'WRONG_ANSWER'],
  [last, problem.id, 71, 'ACCEPTED'],
  [last, second.id, 72, 'RUNTIME_ERROR'],
]

/** The second problem comes first by its position. */
const problems = [
  { problem_id: problem.id, position: 2 },
  { problem_id: second.id, position: 1 },
]

/** Creates a contest that was frozen an hour after its start, with a team or without. */
async function createFrozen(teams: boolean) {
  const times = { start_time: isoIn(-180), end_time: isoIn(-60), freeze_time: isoIn(-120) }
  const eventId = await createContest(contests, problems, { ...times, teams })
  const url = `/v1/events/${eventId}`
  for (const person of [leader, last]) await contests.register(person, eventId)
  const teamId = teams ? (await last.post(`${url}/teams`, { name: 'The last' })).team_id : ''
  if (teams) {
    // Somebody without a team: no step reveals this cell.
    await contests.register(stranger, eventId)
    const accepted = { problem_id: problem.id, minute: 74, status: 'ACCEPTED' }
    await storeSubmission(service, eventId, { id: uuidv7(), user_id: stranger.id, ...accepted })
    await lastMate.post(`${url}/teams/${teamId}/join`)
    await leader.post(`${url}/teams`, { name: 'The first' })
  }
  for (const [{ id: user_id }, problem_id, minute, status] of rows)
    await storeSubmission(service, eventId, { id: uuidv7(), user_id, problem_id, minute, status })
  return { url, teamId }
}

/** The statuses of a list of submissions, the oldest first. */
const statuses = async (by: Person, url: string): Promise<string[]> =>
  (await by.get(url)).map(({ status }: { status: string }) => status).toReversed()

describe.each([
  ['a user', false],
  ['a team', true],
])('a step of the thaw, in a contest whose last row is %s (P23)', (_, hasTeams) => {
  it('reveals the first problem by position, not by id, also in the lists of submissions, until it is taken back', async () => {
    const { url, teamId } = await createFrozen(hasTeams)
    const read = () => statuses(last, `${url}/submissions?user=${last.id}`)
    const lists = [read, ...(hasTeams ? [() => statuses(lastMate, `${url}/submissions?team=${teamId}`)] : [])]
    const expectAll = async (...expected: string[]) => {
      for (const list of lists) expect(await list()).toEqual(expected)
    }
    const leaders = () => statuses(leader, `${url}/submissions?user=${leader.id}`)
    await expectAll('WRONG_ANSWER', 'PENDING', 'PENDING')
    const step = () => admin.post(`${url}/thaw?next=true`)
    const owner = hasTeams ? { team: { name: 'The last' } } : { user: { id: last.id } }
    expect(await step()).toMatchObject({ steps_left: 3, revealed: { problem_id: second.id, ...owner } })
    await expectAll('WRONG_ANSWER', 'PENDING', 'RUNTIME_ERROR')
    expect(await step()).toMatchObject({ steps_left: 2, revealed: { problem_id: problem.id, ...owner } })
    await expectAll('WRONG_ANSWER', 'ACCEPTED', 'RUNTIME_ERROR')
    expect(await leaders()).toEqual(['ACCEPTED', 'PENDING'])
    await admin.post(`${url}/thaw?undo=true`)
    await expectAll('WRONG_ANSWER', 'PENDING', 'RUNTIME_ERROR')
    await admin.post(`${url}/thaw`)
    await expectAll('WRONG_ANSWER', 'ACCEPTED', 'RUNTIME_ERROR')
    expect(await leaders()).toEqual(['ACCEPTED', 'ACCEPTED'])
  })
})
