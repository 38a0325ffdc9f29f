import { describe, expect, it } from 'vitest'
import type { Person } from '../../support/app.ts'
import type { Caller, Expected } from '../../support/caller.ts'
import { isoIn } from '../../support/contests.ts'
import { freezeAt, type Row, serviceWithPastContests } from '../../support/past-contests.ts'
import { refusal } from '../../support/refusals.ts'

const { contests, tasks, anna, bert, carl, contestWith } = await serviceWithPastContests()
const { service, admin, user, stranger, problem } = contests
const { judge } = service
const [, second = 0] = tasks
const problems = tasks.map((problem_id) => ({ problem_id }))

const standings = (eventId: number, caller: Caller = stranger) =>
  caller.get(`/v1/events/${eventId}/standings`)

const named = ({ id, name }: Person) => ({ id, name })

const csvHead = (kind: string, points: string, names: string[]) => {
  const columns = ['A', 'B'].flatMap((label) => names.map((name) => `"${label} ${name}"`))
  return `\ufeffrank,${kind}_id,name,solved,${points}penalty,last_accepted,${columns}`
}

describe('the standings (P22)', () => {
  it('rank by solved problems, then penalty, and list ties by name', async () => {
    const { eventId } = await contestWith([
      [carl, 0, 30, 'WRONG_ANSWER'],
      [carl, 0, 31, 'COMPILE_TIME_ERROR'],
      [carl, 0, 40, 'ACCEPTED'],
      [carl, 0, 41, 'WRONG_ANSWER'],
      [bert, 1, 50, 'WRONG_ANSWER'],
      [anna, 1, 50, 'PENDING'],
    ])
    const { at, rows, ...others } = await standings(eventId)
    const columns = problems.map((column, i) => ({ ...column, label: 'AB'[i] }))
    expect(others).toEqual({ event_id: eventId, state: 'ended', problems: columns })
    const cell = { problem_id: problem.id, tries: 2, pending: 0, minutes: 40, first: true }
    const last_accepted = expect.any(String)
    const none = { rank: 2, solved: 0, penalty: 0 }
    expect(rows).toEqual([
      { rank: 1, user: named(carl), solved: 1, penalty: 60, last_accepted, cells: [cell] },
      { ...none, user: named(anna), cells: [{ problem_id: second, tries: 0, pending: 1 }] },
      { ...none, user: named(bert), cells: [{ problem_id: second, tries: 1, pending: 0 }] },
    ])
  })

  it('are closed to other users with the scoreboard of participants, with their data', async () => {
    const rules = { scoreboard: 'participants', staff: [user.id] }
    const { eventId } = await contestWith([[anna, 0, 10, 'ACCEPTED']], rules)
    for (const path of ['standings', 'standings.csv', 'attempts', 'problems_stats']) {
      const url = `/v1/events/${eventId}/${path}`
      await stranger.get(url, refusal(403, 'NOT_A_PARTICIPANT'))
      for (const caller of [anna, user, admin, judge]) await caller.get(url, 200)
    }
  })

  it('have columns labelled A to Z, AA to AZ and BA by position, or with the label and color that staff has set', async () => {
    const ids = [problem.id, second]
    while (ids.length < 53) ids.push((await contests.createProblem()).id)
    const many = ids.map((problem_id, place) => ({ problem_id, position: ids.length - place }))
    const { eventId: first } = await contestWith([], { problems: many })
    const { problems: columns } = await standings(first)
    const label = (place: number) => columns[place - 1].label
    expect([1, 2, 26, 27, 28, 52, 53].map(label)).toEqual(['A', 'B', 'Z', 'AA', 'AB', 'AZ', 'BA'])
    expect(columns.map((column: { problem_id: number }) => column.problem_id)).toEqual(ids.toReversed())
    const set = { problem_id: problem.id, label: 'Q', color: '#00ff7f' }
    const { eventId } = await contestWith([], { problems: [set, { problem_id: second }] })
    expect((await standings(eventId)).problems).toEqual([set, { problem_id: second, label: 'B' }])
  })

  it('are a CSV file in which no name is a formula', async () => {
    const { eventId } = await contestWith([[anna, 0, 10, 'ACCEPTED']])
    const evil = await service.createPerson()
    await admin.put(`/v1/users/${evil.id}`, { name: '=cmd("x")' })
    await admin.post(`/v1/events/${eventId}/participants`, { user_id: evil.id }, 201)
    const { text, headers } = await stranger.send('GET', `/v1/events/${eventId}/standings.csv`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="standings.csv"')
    const [head, first, ...others] = text.split('\r\n')
    expect(head).toBe(csvHead('user', '', ['tries', 'pending', 'minutes']))
    expect(first).toMatch(new RegExp(`^1,${anna.id},"${anna.name}",1,10,[^,]+,1,0,10,0,0,$`))
    expect(others).toContain(`2,${evil.id},"'=cmd(""x"")",0,0,,0,0,,0,0,`)
  })

  it('are with points a CSV file with the points of each user or team, and the score of each cell; without teams there are none (400)', async () => {
    const submitted: Row[] = [
      [anna, 0, 10, 'WRONG_ANSWER', 30.5],
      [anna, 0, 15, 'ACCEPTED', 100],
      [bert, 1, 20, 'WRONG_ANSWER', 7.25],
    ]
    const fields = { scoring: 'points', teams: true }
    const { eventId, teamIds } = await contestWith(submitted, fields, { Ours: [anna], Theirs: [bert] })
    const url = `/v1/events/${eventId}`
    const [ours, theirs] = teamIds
    for (const [kind, query, first, other] of [
      ['user', '', `${anna.id},"${anna.name}"`, `${bert.id},"${bert.name}"`],
      ['team', '?by=team', `${ours},"Ours"`, `${theirs},"Theirs"`],
    ] as const) {
      expect((await stranger.get(`${url}/standings.csv${query}`)).split('\r\n').slice(0, 3)).toEqual([
        csvHead(kind, 'points,', ['tries', 'pending', 'minutes', 'score']),
        expect.stringMatching(`^1,${first},1,100,35,[^,]+Z,2,0,15,100,0,0,,$`),
        `2,${other},0,7.25,0,,0,0,,,1,0,,7.25`,
      ])
    }
    const { eventId: plain } = await contestWith([])
    await stranger.get(`/v1/events/${plain}/standings?by=team`, refusal(400, '400'))
  })
})

describe('the freeze (P23)', () => {
  const freeze = freezeAt(60)
  const rows: Row[] = [
    [anna, 0, 50, 'WRONG_ANSWER'],
    [anna, 0, 70, 'ACCEPTED'],
    [bert, 1, 30, 'ACCEPTED'],
    [bert, 0, 90, 'WRONG_ANSWER'],
  ]

  it('shows submissions since then as pending to all but staff and judges', async () => {
    const { eventId } = await contestWith(rows, { ...freeze, staff: [user.id] })
    const frozen = { problem_id: problem.id, tries: 1, pending: 1 }
    for (const caller of [stranger, anna]) {
      const { state, rows } = await standings(eventId, caller)
      expect(state).toBe('frozen')
      expect(rows[1]).toMatchObject({ user: named(anna), solved: 0, cells: [frozen] })
      const attempts = { user_id: anna.id, problem_id: problem.id, attempts: 1, total_attempts: 2 }
      expect(await caller.get(`/v1/events/${eventId}/attempts`)).toContainEqual(attempts)
      const [stats] = await caller.get(`/v1/events/${eventId}/problems_stats`)
      expect(stats).toMatchObject({ accepted_count: 0, attempted_count: 2 })
    }
    for (const caller of [admin, user, judge]) {
      const { rows } = await standings(eventId, caller)
      const cells = [{ tries: 2, pending: 0, minutes: 70 }]
      expect(rows[1]).toMatchObject({ user: named(anna), solved: 1, cells })
      const [stats] = await caller.get(`/v1/events/${eventId}/problems_stats`)
      expect(stats).toMatchObject({ accepted_count: 1, attempted_count: 2 })
    }
  })

  it('shows people their own submissions as pending in the contest, and judged elsewhere', async () => {
    const { eventId } = await contestWith(rows, freeze)
    const own = await anna.get(`/v1/events/${eventId}/submissions?user=${anna.id}`)
    expect(own.map(({ status }: { status: string }) => status)).toEqual(['PENDING', 'WRONG_ANSWER'])
    expect(await anna.get(`/v1/submissions/${own[0].id}`)).toMatchObject({ status: 'ACCEPTED' })
    const statuses = await anna.get(`/v1/events/${eventId}/user_problem_status`)
    expect(statuses).toMatchObject([{ status: 'ACCEPTED' }])
  })

  it('ends for all at once when staff thaws, only after the end; later verdicts are shown at once', async () => {
    const { eventId, store } = await contestWith(rows, freeze)
    const waiting = await store([carl, 1, 70, 'PENDING'])
    const url = `/v1/events/${eventId}/thaw`
    await stranger.post(url, undefined, refusal(403, 'FORBIDDEN'))
    await judge.post(url, undefined, refusal(403, 'FORBIDDEN'))
    expect(await admin.post(url)).toEqual({ event_id: eventId, state: 'ended', steps_left: 0 })
    const ofCarl = { user: named(carl), solved: 0, cells: [{ tries: 0, pending: 1 }] }
    expect((await standings(eventId)).rows).toMatchObject([{}, { user: named(anna), solved: 1 }, ofCarl])
    await admin.post(url, undefined, refusal(409, 'NOT_FROZEN'))
    await contests.giveVerdict(waiting, 'ACCEPTED')
    expect((await standings(eventId)).rows[1]).toMatchObject({ user: named(carl), solved: 1 })
    const { eventId: going } = await contestWith([], { end_time: isoIn(60), freeze_time: isoIn(-10) })
    await admin.post(`/v1/events/${going}/thaw`, undefined, refusal(409, 'EVENT_NOT_ENDED'))
    const { eventId: plain } = await contestWith([])
    await admin.post(`/v1/events/${plain}/thaw`, undefined, refusal(409, 'NOT_FROZEN'))
  })

  it('is lifted cell by cell from the bottom, and back', async () => {
    const ofCarl: Row[] = [0, 1].map((at) => [carl, at, 80 + at, 'WRONG_ANSWER'])
    const { eventId } = await contestWith([...rows, ...ofCarl], freeze)
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
    expect(await step('undo=true')).toBe(carl.name)
    const { at, ...same } = await standings(eventId)
    expect(same).toEqual({ ...before, at: undefined })
    await admin.post(`${url}?undo=true`, undefined, refusal(409, 'NOTHING_REVEALED'))
    const steps: string[] = []
    for (const _ of [1, 2, 3, 4]) steps.push(await step('next=true'))
    // Anna solves hers and is now above Bert only after his is revealed.
    expect(steps).toEqual([carl.name, carl.name, anna.name, bert.name])
    expect((await admin.get(`/v1/events/${eventId}/standings`)).rows).toEqual((await standings(eventId)).rows)
    expect(await admin.post(`${url}?next=true`)).toMatchObject({ state: 'ended', steps_left: 0 })
    expect(await admin.post(`${url}?undo=true`)).toMatchObject({ state: 'frozen', steps_left: 1 })
    expect(await step('undo=true')).toBe(bert.name)
  })

  it('is back when people may submit again, after a step or the whole thaw; later verdicts are pending then', async () => {
    const { eventId, store } = await contestWith(rows, freeze)
    const url = `/v1/events/${eventId}`
    const rowsOf = async () => (await standings(eventId)).rows
    const frozen = await rowsOf()
    const step = (expected: Expected = 200) => admin.post(`${url}/thaw?next=true`, undefined, expected)
    await step()
    await step()
    expect(await rowsOf()).not.toEqual(frozen)
    const path = `${url}/participants/${anna.id}`
    await admin.put(path, { extra_minutes: 90 })
    expect(await rowsOf()).toEqual(frozen)
    await step(refusal(409, 'EVENT_NOT_ENDED'))
    await admin.put(path, { extra_minutes: null })
    expect(await step()).toMatchObject({ steps_left: 2, revealed: { user: named(anna) } })
    await admin.post(`${url}/thaw`)
    expect(await admin.put(url, { description: 'Over' })).toHaveProperty('thawed_at')
    expect(await admin.put(url, { end_time: isoIn(60) })).not.toHaveProperty('thawed_at')
    expect(await rowsOf()).toEqual(frozen)
    await store([carl, 1, 179, 'ACCEPTED'])
    const ofCarl = (await rowsOf()).find(({ user }: { user: Person }) => user.id === carl.id)
    expect(ofCarl).toMatchObject({ solved: 0, cells: [{ pending: 1 }] })
  })
})

/** `anna` leads: she has solved a problem before the freeze. */
const thawed: Row[] = [
  [anna, 0, 20, 'ACCEPTED'],
  [anna, 1, 70, 'ACCEPTED'],
  [bert, 0, 30, 'WRONG_ANSWER'],
  [bert, 0, 71, 'ACCEPTED'],
  [bert, 1, 72, 'RUNTIME_ERROR'],
]

const moved = [
  { problem_id: problem.id, position: 2 },
  { problem_id: second, position: 1 },
]

/** Creates a contest that was frozen an hour after its start; with teams, `carl` has none. */
async function createFrozen(teams: boolean) {
  // No step reveals the cell of somebody without a team.
  const alone: Row[] = teams ? [[carl, 0, 74, 'ACCEPTED']] : []
  const fields = { ...freezeAt(60), problems: moved, teams }
  const made = teams ? { 'The last': [bert, stranger], 'The first': [anna] } : {}
  const { eventId, teamIds } = await contestWith([...thawed, ...alone], fields, made)
  const url = `/v1/events/${eventId}`
  if (!teams) {
    await admin.delete(`${url}/participants/${carl.id}`)
  }
  return { url, teamId: teamIds[0] ?? '' }
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
    const lists = [read, ...(hasTeams ? [() => statuses(stranger, `${url}/submissions?team=${teamId}`)] : [])]
    const expectAll = async (...expected: string[]) => {
      for (const list of lists) expect(await list()).toEqual(expected)
    }
    const leaders = () => statuses(anna, `${url}/submissions?user=${anna.id}`)
    await expectAll('WRONG_ANSWER', 'PENDING', 'PENDING')
    const step = () => admin.post(`${url}/thaw?next=true`)
    const owner = hasTeams ? { team: { name: 'The last' } } : { user: { id: bert.id } }
    expect(await step()).toMatchObject({ steps_left: 3, revealed: { problem_id: second, ...owner } })
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
