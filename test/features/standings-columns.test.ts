import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { Person } from '../support/app.ts'
import { createContest, over, serviceWithContests } from '../support/contests.ts'
import { storeSubmission } from '../support/standings.ts'

const contests = await serviceWithContests()
const { service, user, stranger, problem } = contests
const second = await contests.createProblem()

type Row = [person: Person, problem_id: number, minute: number, status: string, score: number]

/** Creates a contest that ranks two users by points, each in a team of their own. */
async function createWithPoints(problems: { problem_id: number; [field: string]: unknown }[]) {
  const rules = { scoring: 'points', teams: true, penalty_minutes: 20 }
  const eventId = await createContest(contests, problems, { ...over(), ...rules })
  const url = `/v1/events/${eventId}`
  const { team_id } = await user.post(`${url}/teams`, { name: 'Ours' })
  const { team_id: otherTeam } = await stranger.post(`${url}/teams`, { name: 'Theirs' })
  const rows: Row[] = [
    [user, problem.id, 10, 'WRONG_ANSWER', 30.5],
    [user, problem.id, 15, 'ACCEPTED', 100],
    [stranger, second.id, 20, 'WRONG_ANSWER', 7.25],
  ]
  for (const [person, problem_id, minute, status, score] of rows) {
    const submission = { id: uuidv7(), user_id: person.id, problem_id, minute, status, score }
    await storeSubmission(service, eventId, submission)
  }
  return { url, teams: [team_id, otherTeam] }
}

describe('the columns of the standings (P22)', () => {
  it('are labelled A to Z, AA to AZ and BA in the order of the positions, if staff has set no label', async () => {
    const ids = [problem.id, second.id]
    while (ids.length < 53) ids.push((await contests.createProblem()).id)
    const problems = ids.map((problem_id, place) => ({ problem_id, position: ids.length - place }))
    const eventId = await createContest(contests, problems)
    const { problems: columns } = await stranger.get(`/v1/events/${eventId}/standings`)
    const label = (place: number) => columns[place - 1].label
    expect([1, 2, 26, 27, 28, 52, 53].map(label)).toEqual(['A', 'B', 'Z', 'AA', 'AB', 'AZ', 'BA'])
    expect(columns.map((column: { problem_id: number }) => column.problem_id)).toEqual(ids.toReversed())
  })

  it('have the label and the color that staff has set', async () => {
    const settings = { label: 'Q', color: '#00ff7f' }
    const eventId = await createContest(contests, [
      { problem_id: problem.id, ...settings },
      { problem_id: second.id },
    ])
    const { problems } = await stranger.get(`/v1/events/${eventId}/standings`)
    expect(problems).toEqual([
      { problem_id: problem.id, ...settings },
      { problem_id: second.id, label: 'B' },
    ])
  })
})

describe('the CSV file of a contest with points (P22)', () => {
  const columns = ['A', 'B'].map((label) =>
    ['tries', 'pending', 'minutes', 'score'].map((name) => `"${label} ${name}"`).join(','),
  )
  const headFor = (rows: 'user' | 'team') =>
    `rank,${rows}_id,name,solved,points,penalty,last_accepted,${columns.join(',')}`
  const problems = [{ problem_id: problem.id }, { problem_id: second.id }]

  it('has the points of each user, and the score of each cell', async () => {
    const { url } = await createWithPoints(problems)
    const lines = (await stranger.get(`${url}/standings.csv`)).split('\r\n')
    expect(lines).toEqual([
      headFor('user'),
      expect.stringMatching(`^1,${user.id},"${user.name}",1,100,35,[^,]+Z,2,0,15,100,0,0,,$`),
      `2,${stranger.id},"${stranger.name}",0,7.25,0,,0,0,,,1,0,,7.25`,
      '',
    ])
  })

  it('has team_id instead of user_id for teams, with their points and scores', async () => {
    const { url, teams } = await createWithPoints(problems)
    const lines = (await stranger.get(`${url}/standings.csv?by=team`)).split('\r\n')
    expect(lines).toEqual([
      headFor('team'),
      expect.stringMatching(`^1,${teams[0]},"Ours",1,100,35,[^,]+Z,2,0,15,100,0,0,,$`),
      `2,${teams[1]},"Theirs",0,7.25,0,,0,0,,,1,0,,7.25`,
      '',
    ])
  })
})
