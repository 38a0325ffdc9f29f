import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person } from '../support/app.ts'
import type { Caller, Expected } from '../support/caller.ts'
import { createContest, isoIn, serviceWithContests } from '../support/contests.ts'
import { refusal } from '../support/refusals.ts'
import { storeSubmission } from '../support/standings.ts'

const contests = await serviceWithContests()
const { service, admin, user, stranger, problem } = contests
const { judge } = service
const second = await contests.createProblem()
async function createNamed(name: string): Promise<Person> {
  const person = await service.createPerson()
  await admin.put(`/v1/users/${person.id}`, { name })
  return { ...person, name }
}

const anna = await createNamed('Anna')
const bert = await createNamed('Bert')
const carl = await createNamed('Carl')

const problems = [{ problem_id: problem.id }, { problem_id: second.id }]
/** Two hours, over an hour ago. */
const past = () => ({ start_time: isoIn(-180), end_time: isoIn(-60) })
const freezeAt = (minute: number) => ({ freeze_time: isoIn(-180 + minute) })

type Row = [person: Person, problem: number, minute: number, status: string, score?: number]

/** Creates a contest in which all three take part and have submitted these. */
async function contestWith(rows: Row[], fields: object = {}): Promise<number> {
  const eventId = await createContest(contests, problems, { ...past(), ...fields })
  for (const person of [anna, bert, carl]) await contests.register(person, eventId)
  for (const row of rows) await submit(eventId, row)
  return eventId
}

async function submit(eventId: number, [person, at, minute, status, score]: Row): Promise<string> {
  const id = uuidv7()
  const problem_id = problems[at]?.problem_id ?? 0
  await storeSubmission(service, eventId, { id, user_id: person.id, problem_id, minute, status, score })
  return id
}

const standings = (eventId: number, caller: Caller = stranger) =>
  caller.get(`/v1/events/${eventId}/standings`)

const named = ({ id, name }: Person) => ({ id, name })

describe('the standings (P22)', () => {
  it('rank by solved problems, then penalty, and list ties by name', async () => {
    const eventId = await contestWith([
      [carl, 0, 30, 'WRONG_ANSWER'],
      [carl, 0, 31, 'COMPILE_TIME_ERROR'],
      [carl, 0, 40, 'ACCEPTED'],
      [carl, 0, 41, 'WRONG_ANSWER'],
      [bert, 1, 50, 'WRONG_ANSWER'],
      [anna, 1, 50, 'PENDING'],
    ])
    const { event_id, state, rows, problems: columns } = await standings(eventId)
    expect({ event_id, state, columns }).toEqual({
      event_id: eventId,
      state: 'ended',
      columns: [
        { problem_id: problem.id, label: 'A' },
        { problem_id: second.id, label: 'B' },
      ],
    })
    const cell = { problem_id: problem.id, tries: 2, pending: 0, minutes: 40, first: true }
    const none = { rank: 2, solved: 0, penalty: 0 }
    expect(rows).toEqual([
      {
        rank: 1,
        user: named(carl),
        solved: 1,
        penalty: 60,
        last_accepted: expect.any(String),
        cells: [cell],
      },
      { ...none, user: named(anna), cells: [{ problem_id: second.id, tries: 0, pending: 1 }] },
      { ...none, user: named(bert), cells: [{ problem_id: second.id, tries: 1, pending: 0 }] },
    ])
  })

  it('rank by points with the rule scoring, and take the best score of each problem', async () => {
    const eventId = await contestWith(
      [
        [anna, 0, 10, 'ACCEPTED', 100],
        [bert, 0, 20, 'WRONG_ANSWER', 30.5],
        [bert, 0, 25, 'WRONG_ANSWER', 20],
        [bert, 1, 30, 'WRONG_ANSWER', 80],
      ],
      { scoring: 'points', penalty_minutes: 0 },
    )
    const { rows } = await standings(eventId)
    expect(
      rows.map((row: { user: Person; points: number; solved: number }) => [
        row.user.name,
        row.points,
        row.solved,
      ]),
    ).toEqual([
      ['Bert', 110.5, 0],
      ['Anna', 100, 1],
      ['Carl', 0, 0],
    ])
    expect(rows[0].cells[0]).toEqual({ problem_id: problem.id, tries: 2, pending: 0, score: 30.5 })
  })

  it('have the scores of verdicts that an older release stored', async () => {
    const eventId = await contestWith([[anna, 0, 10, 'WRONG_ANSWER', 55]])
    await service.database.query(
      unprepared(`update event_scores
        set outcomes = (select jsonb_object_agg(entry.key, entry.value - 2) from jsonb_each(outcomes) as entry)
        where event_id = $1`),
      [eventId],
    )
    await admin.put(`/v1/events/${eventId}`, { scoring: 'points' })
    const { rows } = await standings(eventId)
    expect(rows[0]).toMatchObject({ user: named(anna), points: 55 })
  })

  it('have an entity tag, and are 304 until they change', async () => {
    const eventId = await contestWith([[anna, 0, 10, 'WRONG_ANSWER']])
    const url = `/v1/events/${eventId}/standings`
    const first = await stranger.send('GET', url)
    const headers = { 'if-none-match': first.headers.etag ?? '' }
    expect(await stranger.send('GET', url, undefined, headers)).toMatchObject({ status: 304 })
    await submit(eventId, [bert, 0, 11, 'ACCEPTED'])
    const changed = await stranger.send('GET', url, undefined, headers)
    expect(changed.body.rows[0]).toMatchObject({ rank: 1, user: named(bert) })
  })

  it('rank teams by the submissions of all members, only where the event has teams', async () => {
    const eventId = await contestWith([], { teams: true })
    const { team_id } = await anna.post(`/v1/events/${eventId}/teams`, { name: 'Both' })
    await bert.post(`/v1/events/${eventId}/teams/${team_id}/join`)
    await carl.post(`/v1/events/${eventId}/teams`, { name: 'Alone' })
    const rows: Row[] = [
      [anna, 0, 10, 'WRONG_ANSWER'],
      [bert, 0, 20, 'WRONG_ANSWER'],
      [bert, 0, 30, 'ACCEPTED'],
      [anna, 0, 40, 'WRONG_ANSWER'],
      [carl, 0, 100, 'ACCEPTED'],
    ]
    for (const row of rows) await submit(eventId, row)
    const url = `/v1/events/${eventId}/standings?by=team`
    const both = { problem_id: problem.id, tries: 3, pending: 0, minutes: 30, first: true }
    expect((await stranger.get(url)).rows).toMatchObject([
      { rank: 1, team: { id: team_id, name: 'Both' }, solved: 1, penalty: 70, cells: [both] },
      { rank: 2, team: { name: 'Alone' }, solved: 1, penalty: 100 },
    ])
    const plain = await contestWith([])
    await stranger.get(`/v1/events/${plain}/standings?by=team`, refusal(400, '400'))
  })

  it('are closed to other users with the scoreboard of participants, with their data', async () => {
    const eventId = await contestWith([[anna, 0, 10, 'ACCEPTED']], {
      scoreboard: 'participants',
      staff: [user.id],
    })
    for (const path of ['standings', 'standings.csv', 'attempts', 'problems_stats']) {
      const url = `/v1/events/${eventId}/${path}`
      await stranger.get(url, refusal(403, 'NOT_A_PARTICIPANT'))
      for (const caller of [anna, user, admin, judge]) await caller.get(url, 200)
    }
  })

  it('are a CSV file in which no name is a formula', async () => {
    const eventId = await contestWith([[anna, 0, 10, 'ACCEPTED']])
    const evil = await createNamed('=cmd("x")')
    await contests.register(evil, eventId)
    const { text, headers } = await stranger.send('GET', `/v1/events/${eventId}/standings.csv`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const [head, first, ...others] = text.split('\r\n')
    expect(head).toBe(
      'rank,user_id,name,solved,penalty,last_accepted,"A tries","A pending","A minutes","B tries","B pending","B minutes"',
    )
    expect(first).toMatch(new RegExp(`^1,${anna.id},"Anna",1,10,[^,]+,1,0,10,0,0,$`))
    expect(others).toContain(`2,${evil.id},"'=cmd(""x"")",0,0,,0,0,,0,0,`)
  })
})

describe('the freeze (P23)', () => {
  const freeze = { ...freezeAt(60) }
  const rows: Row[] = [
    [anna, 0, 50, 'WRONG_ANSWER'],
    [anna, 0, 70, 'ACCEPTED'],
    [bert, 1, 30, 'ACCEPTED'],
    [bert, 0, 90, 'WRONG_ANSWER'],
  ]

  it('shows submissions since then as pending to all but staff and judges', async () => {
    const eventId = await contestWith(rows, { ...freeze, staff: [user.id] })
    const frozen = { problem_id: problem.id, tries: 1, pending: 1 }
    for (const caller of [stranger, anna]) {
      const { state, rows } = await standings(eventId, caller)
      expect(state).toBe('frozen')
      expect(rows[1]).toMatchObject({ user: named(anna), solved: 0, cells: [frozen] })
      expect(await caller.get(`/v1/events/${eventId}/attempts`)).toContainEqual({
        ...{ user_id: anna.id, problem_id: problem.id, attempts: 1, total_attempts: 2 },
      })
      const [stats] = await caller.get(`/v1/events/${eventId}/problems_stats`)
      expect(stats).toMatchObject({ accepted_count: 0, attempted_count: 2 })
    }
    for (const caller of [admin, user, judge]) {
      const { rows } = await standings(eventId, caller)
      expect(rows[1]).toMatchObject({
        user: named(anna),
        solved: 1,
        cells: [{ tries: 2, pending: 0, minutes: 70 }],
      })
      const [stats] = await caller.get(`/v1/events/${eventId}/problems_stats`)
      expect(stats).toMatchObject({ accepted_count: 1, attempted_count: 2 })
    }
  })

  it('shows people their own submissions as pending in the contest, and judged elsewhere', async () => {
    const eventId = await contestWith(rows, freeze)
    const own = await anna.get(`/v1/events/${eventId}/submissions?user=${anna.id}`)
    expect(own.map(({ status }: { status: string }) => status)).toEqual(['PENDING', 'WRONG_ANSWER'])
    expect(await anna.get(`/v1/submissions/${own[0].id}`)).toMatchObject({ status: 'ACCEPTED' })
    expect(await anna.get(`/v1/events/${eventId}/user_problem_status`)).toMatchObject([
      { status: 'ACCEPTED' },
    ])
  })

  it('ends for all at once when staff thaws, and only after the end', async () => {
    const eventId = await contestWith(rows, freeze)
    const url = `/v1/events/${eventId}/thaw`
    await stranger.post(url, undefined, refusal(403, 'FORBIDDEN'))
    await judge.post(url, undefined, refusal(403, 'FORBIDDEN'))
    expect(await admin.post(url)).toEqual({ event_id: eventId, state: 'ended', steps_left: 0 })
    expect((await standings(eventId)).rows[1]).toMatchObject({ user: named(anna), solved: 1 })
    await admin.post(url, undefined, refusal(409, 'NOT_FROZEN'))
    const going = await contestWith([], { end_time: isoIn(60), freeze_time: isoIn(-10) })
    await admin.post(`/v1/events/${going}/thaw`, undefined, refusal(409, 'EVENT_NOT_ENDED'))
    const plain = await contestWith([])
    await admin.post(`/v1/events/${plain}/thaw`, undefined, refusal(409, 'NOT_FROZEN'))
  })

  it('is lifted cell by cell from the bottom, and back', async () => {
    const eventId = await contestWith(
      [...rows, [carl, 1, 80, 'WRONG_ANSWER'], [carl, 0, 81, 'WRONG_ANSWER']],
      freeze,
    )
    const url = `/v1/events/${eventId}/thaw`
    const before = await standings(eventId)
    const step = async (query: string) => {
      const { revealed, hidden } = await admin.post(`${url}?${query}`)
      return (revealed ?? hidden)?.user.name
    }
    expect(await admin.post(`${url}?next=true`)).toEqual({
      ...{ event_id: eventId, state: 'frozen', steps_left: 4 },
      revealed: { user: named(carl), problem_id: problem.id },
    })
    expect(await step('undo=true')).toBe('Carl')
    const { at, ...same } = await standings(eventId)
    expect(same).toEqual({ ...before, at: undefined })
    await admin.post(`${url}?undo=true`, undefined, refusal(409, 'NOTHING_REVEALED'))
    const steps = [
      await step('next=true'),
      await step('next=true'),
      await step('next=true'),
      await step('next=true'),
    ]
    // Anna solves hers and is now above Bert only after his is revealed.
    expect(steps).toEqual(['Carl', 'Carl', 'Anna', 'Bert'])
    expect((await admin.get(`/v1/events/${eventId}/standings`)).rows).toEqual((await standings(eventId)).rows)
    expect(await admin.post(`${url}?next=true`)).toMatchObject({ state: 'ended', steps_left: 0 })
    expect(await admin.post(`${url}?undo=true`)).toMatchObject({ state: 'frozen', steps_left: 1 })
    expect(await step('undo=true')).toBe('Bert')
  })

  it('is back when people may submit again, after a step or the whole thaw', async () => {
    const [stepped, thawed] = [await contestWith(rows, freeze), await contestWith(rows, freeze)]
    const rowsOf = async (eventId: number) => (await standings(eventId)).rows
    const [frozen, alsoFrozen] = [await rowsOf(stepped), await rowsOf(thawed)]
    const thaw = (eventId: number, expected: Expected = 200) =>
      admin.post(`/v1/events/${eventId}/thaw?next=true`, undefined, expected)
    await thaw(stepped)
    await thaw(stepped)
    expect(await rowsOf(stepped)).not.toEqual(frozen)
    const path = `/v1/events/${stepped}/participants/${anna.id}`
    await admin.put(path, { extra_minutes: 90 })
    expect(await rowsOf(stepped)).toEqual(frozen)
    await thaw(stepped, refusal(409, 'EVENT_NOT_ENDED'))
    await admin.put(path, { extra_minutes: null })
    expect(await thaw(stepped)).toMatchObject({ steps_left: 2, revealed: { user: named(anna) } })
    const url = `/v1/events/${thawed}`
    await admin.post(`${url}/thaw`)
    expect(await admin.put(url, { description: 'Over' })).toHaveProperty('thawed_at')
    expect(await admin.put(url, { end_time: isoIn(60) })).not.toHaveProperty('thawed_at')
    expect(await rowsOf(thawed)).toEqual(alsoFrozen)
    await submit(thawed, [carl, 1, 179, 'ACCEPTED'])
    const { solved, cells } = (await rowsOf(thawed)).find(({ user }: { user: Person }) => user.id === carl.id)
    expect({ solved, cells }).toMatchObject({ solved: 0, cells: [{ pending: 1 }] })
  })

  it('tells how many steps are left, of teams in a contest with teams', async () => {
    const eventId = await contestWith([], { ...freeze, teams: true })
    const { team_id } = await anna.post(`/v1/events/${eventId}/teams`, { name: 'Both' })
    await bert.post(`/v1/events/${eventId}/teams/${team_id}/join`)
    const dora = await createNamed('Dora')
    await contests.register(dora, eventId)
    await dora.post(`/v1/events/${eventId}/teams`, { name: 'Alone' })
    const late: Row[] = [
      [anna, 0, 70, 'ACCEPTED'],
      [bert, 0, 80, 'WRONG_ANSWER'],
      [bert, 1, 90, 'ACCEPTED'],
      [dora, 0, 95, 'PENDING'],
    ]
    // Carl has no team: no step reveals his cell.
    for (const row of [...late, [carl, 0, 99, 'ACCEPTED'] as Row]) await submit(eventId, row)
    const next = async () => {
      const { state, steps_left, revealed } = await admin.post(`/v1/events/${eventId}/thaw?next=true`)
      return [state, steps_left, revealed?.team.name]
    }
    expect(await next()).toEqual(['frozen', 3, 'Both'])
    expect(await next()).toEqual(['frozen', 2, 'Alone'])
    expect(await next()).toEqual(['frozen', 1, 'Both'])
    expect(await next()).toEqual(['ended', 0, undefined])
  })

  it('leaves submissions pending that have no verdict, and shows a later one at once', async () => {
    const eventId = await contestWith([], freeze)
    const id = await submit(eventId, [anna, 0, 70, 'PENDING'])
    const pending = { problem_id: problem.id, tries: 0, pending: 1 }
    await admin.post(`/v1/events/${eventId}/thaw?next=true`)
    expect((await standings(eventId)).rows[0]).toMatchObject({ user: named(anna), cells: [pending] })
    await contests.giveVerdict(id, { status: 'ACCEPTED' })
    expect((await standings(eventId)).rows[0]).toMatchObject({ user: named(anna), solved: 1 })
  })
})
