import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { freezeAt, type Row, serviceWithPastContests } from '../support/past-contests.ts'

/** `anna` leads: she has solved a problem before the freeze. */
const { contests, tasks, anna, bert, carl, contestWith } = await serviceWithPastContests()
const { admin, stranger: mate } = contests
const [first = 0, second = 0] = tasks

const rows: Row[] = [
  [anna, 0, 20, 'ACCEPTED'],
  [anna, 1, 70, 'ACCEPTED'],
  [bert, 0, 30, 'WRONG_ANSWER'],
  [bert, 0, 71, 'ACCEPTED'],
  [bert, 1, 72, 'RUNTIME_ERROR'],
]

/** The second problem comes first by its position. */
const problems = [
  { problem_id: first, position: 2 },
  { problem_id: second, position: 1 },
]

/** Creates a contest that was frozen an hour after its start; with teams, `carl` has none. */
async function createFrozen(teams: boolean) {
  // No step reveals the cell of somebody without a team.
  const alone: Row[] = teams ? [[carl, 0, 74, 'ACCEPTED']] : []
  const { eventId } = await contestWith([...rows, ...alone], { ...freezeAt(60), problems, teams })
  const url = `/v1/events/${eventId}`
  if (!teams) {
    await admin.delete(`${url}/participants/${carl.id}`)
    return { url, teamId: '' }
  }
  const { team_id: teamId } = await bert.post(`${url}/teams`, { name: 'The last' })
  await mate.post(`${url}/teams/${teamId}/join`)
  await anna.post(`${url}/teams`, { name: 'The first' })
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
    const read = () => statuses(bert, `${url}/submissions?user=${bert.id}`)
    const lists = [read, ...(hasTeams ? [() => statuses(mate, `${url}/submissions?team=${teamId}`)] : [])]
    const expectAll = async (...expected: string[]) => {
      for (const list of lists) expect(await list()).toEqual(expected)
    }
    const leaders = () => statuses(anna, `${url}/submissions?user=${anna.id}`)
    await expectAll('WRONG_ANSWER', 'PENDING', 'PENDING')
    const step = () => admin.post(`${url}/thaw?next=true`)
    const owner = hasTeams ? { team: { name: 'The last' } } : { user: { id: bert.id } }
    expect(await step()).toMatchObject({ steps_left: 3, revealed: { problem_id: second, ...owner } })
    await expectAll('WRONG_ANSWER', 'PENDING', 'RUNTIME_ERROR')
    expect(await step()).toMatchObject({ steps_left: 2, revealed: { problem_id: first, ...owner } })
    await expectAll('WRONG_ANSWER', 'ACCEPTED', 'RUNTIME_ERROR')
    expect(await leaders()).toEqual(['ACCEPTED', 'PENDING'])
    await admin.post(`${url}/thaw?undo=true`)
    await expectAll('WRONG_ANSWER', 'PENDING', 'RUNTIME_ERROR')
    await admin.post(`${url}/thaw`)
    await expectAll('WRONG_ANSWER', 'ACCEPTED', 'RUNTIME_ERROR')
    expect(await leaders()).toEqual(['ACCEPTED', 'ACCEPTED'])
  })
})
