import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { recountStandings } from '../../verification/standings.ts'
import { createContest, isoIn, serviceWithContests } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { expectRecounted } from '../support/recount.ts'
import { storeSubmission } from '../support/standings.ts'

const contests = await serviceWithContests()
const { service, admin, stranger } = contests
const { judge } = service
const tasks = [contests.problem.id, (await contests.createProblem()).id, (await contests.createProblem()).id]
const people = await Promise.all([1, 2, 3, 4].map(() => service.createPerson()))

const STATUSES = ['ACCEPTED', 'ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR', 'PENDING']
const minute = fc.integer({ min: 0, max: 150 })
const person = fc.nat(people.length - 1)
const task = fc.nat(tasks.length - 1)
const status = fc.constantFrom(...STATUSES)
const score = fc.option(fc.constantFrom(0, 12.5, 40, 100), { nil: undefined })

/** What happens in a contest of two hours that began three hours ago. */
const incident = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('submit'), person, task, minute, status, score }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('judge'),
      nth: fc.nat(20),
      status: fc.constantFrom('ACCEPTED', 'WRONG_ANSWER', 'COMPILE_TIME_ERROR'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('freeze'), minute: fc.option(minute, { nil: undefined }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('rules'),
      penalty: fc.constantFrom(0, 20),
      scoring: fc.constantFrom('icpc', 'points'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('participant'),
      person,
      extra: fc.constantFrom(null, 30),
      hidden: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('add'), person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop problem'), task }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('add problem'), task }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('thaw'),
      query: fc.constantFrom('', '?next=true', '?next=true', '?undo=true'),
    }),
  },
)
type Incident = typeof incident extends fc.Arbitrary<infer One> ? One : never

const dropProblem = unprepared('delete from event_problems where event_id = $1 and problem_id = $2')

async function openRun() {
  const problems = tasks.map((problem_id) => ({ problem_id }))
  const times = { start_time: isoIn(-180), end_time: isoIn(-60) }
  const eventId = await createContest(contests, problems, { ...times, teams: true })
  const url = `/v1/events/${eventId}`
  const [anna, bert, carl] = people
  const { team_id } = await (anna ?? stranger).post(`${url}/teams`, { name: 'Both' })
  await bert?.post(`${url}/teams/${team_id}/join`)
  await carl?.post(`${url}/teams`, { name: 'Alone' })
  const submitted: string[] = []
  const userId = (nth: number) => people[nth]?.id ?? ''
  /** Refusals are fine: a step may not fit the state. */
  const take = async (step: Incident): Promise<unknown> => {
    switch (step.kind) {
      case 'submit': {
        const id = uuidv7()
        submitted.push(id)
        await admin.send('PUT', `${url}/participants/${userId(step.person)}`, { hidden: false })
        const problem_id = tasks[step.task] ?? 0
        return storeSubmission(service, eventId, { ...step, id, user_id: userId(step.person), problem_id })
      }
      case 'judge': {
        const id = submitted.at(-1 - (step.nth % Math.max(1, submitted.length)))
        return id && judge.send('PATCH', `/v1/submissions/${id}`, { status: step.status })
      }
      case 'freeze': {
        const freeze_time = step.minute === undefined ? null : isoIn(-180 + Math.min(step.minute, 119))
        return admin.put(url, { freeze_time })
      }
      case 'rules':
        return admin.put(url, { penalty_minutes: step.penalty, scoring: step.scoring })
      case 'participant':
        return admin.put(`${url}/participants/${userId(step.person)}`, {
          extra_minutes: step.extra,
          hidden: step.hidden,
        })
      case 'remove':
        return admin.send('DELETE', `${url}/participants/${userId(step.person)}`)
      case 'add':
        return admin.send('POST', `${url}/participants`, { user_id: userId(step.person) })
      case 'drop problem':
        return service.database.query(dropProblem, [eventId, tasks[step.task] ?? 0])
      case 'add problem':
        return admin.send('POST', `${url}/problems`, { problem_id: tasks[step.task] })
      case 'thaw':
        return admin.send('POST', `${url}/thaw${step.query}`)
    }
    throw new Error(`no such step: ${JSON.stringify(step)}`)
  }
  return { eventId, take }
}

const tags = new Map<string, { tag: string; rows: unknown }>()

/** Reads as a client that keeps its last response, and compares it with a recount. */
async function expectStandings(eventId: number): Promise<void> {
  for (const by of ['user', 'team'] as const) {
    for (const caller of [admin, stranger]) {
      const url = `/v1/events/${eventId}/standings?by=${by}`
      const key = `${caller.id} ${url}`
      const kept = tags.get(key)
      const response = await caller.send('GET', url, undefined, kept && { 'if-none-match': kept.tag })
      const rows = response.status === 304 ? kept?.rows : response.body.rows
      tags.set(key, { tag: response.headers.etag ?? '', rows })
      const expected = await recountStandings(service.database, eventId, { by, isLive: caller === admin })
      const shown = (rows as object[]).map((row) => ({ ...row, last_accepted: undefined }))
      expect(shown, `${by}, ${caller === admin ? 'live' : 'shown'}`).toEqual(expected)
    }
  }
}

it('the standings equal a recount, live and frozen, by user and by team, after any changes of a contest (P22, P23)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(incident, { minLength: 1, maxLength: 6 }), { maxLength: 5 }),
      async (rounds) => {
        const { eventId, take } = await openRun()
        for (const steps of rounds) {
          for (const step of steps) await take(step)
          await expectStandings(eventId)
        }
        await expectRecounted(service, eventId)
      },
    ),
    { numRuns: databaseKind === 'postgres' ? 40 : 15 },
  )
}, 120_000)
