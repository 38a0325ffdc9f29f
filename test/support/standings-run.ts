import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import type { Person, TestResponse } from './app.ts'
import { type Caller, callerOf } from './caller.ts'
import { type ContestService, createContest } from './contests.ts'
import { decisionsOf, decisionUrl } from './decisions.ts'
import type { Problem } from './judging.ts'
import { storeSubmission } from './standings.ts'
import { GUESTS, type Incident, MINUTES, PEOPLE, TASKS } from './standings-incidents.ts'

type Step<Kind extends Incident['kind']> = Extract<Incident, { kind: Kind }>
type Verdict = Step<'judge'>['verdict']

/** Exact, so that submissions fall on the freeze and on the end. */
const clockFrom = (start: number) => (minute: number) => new Date(start + minute * 60_000).toISOString()
const FULL_SCORE = 100
const test_groups = [{ name: 'all', points: FULL_SCORE, aggregation: 'sum', cases: [1, 2] }]

/** The last problem has no test groups. */
const hasPoints = (task: number) => task < TASKS - 1

/** A verdict has a score if the problem has test groups and the program was judged. */
function verdictOn(task: number, { status, partial }: Verdict): { status: string; score?: number } {
  if (!hasPoints(task) || !['ACCEPTED', 'WRONG_ANSWER'].includes(status)) return { status }
  return { status, score: status === 'ACCEPTED' ? FULL_SCORE : partial }
}

/** Some steps do not fit the state of the contest. */
async function expectOneOf(statuses: readonly number[], sent: Promise<TestResponse>): Promise<TestResponse> {
  const response = await sent
  expect(statuses, response.text).toContain(response.status)
  return response
}

/** Prepares people and problems; the result opens a contest of all, which began three hours ago. */
export async function prepareRuns(contests: ContestService) {
  const { service } = contests
  const judge = callerOf(service, service.judgeToken, { 'judge-capabilities': 'test-groups/1' })
  const createTask = (task: number) => contests.createProblem(hasPoints(task) ? { test_groups } : {})
  const people: Person[] = []
  while (people.length < PEOPLE) people.push(await service.createPerson())
  const guests: Person[] = []
  while (guests.length < GUESTS) guests.push(await service.createPerson())
  const tasks: Problem[] = []
  const deleted = new Set<number>(Array(TASKS).keys())
  return async () => {
    for (const task of deleted) tasks[task] = await createTask(task)
    deleted.clear()
    const at = clockFrom(Date.now() - 180 * 60_000)
    const eventId = await openContest(contests, people, tasks, at)
    const takeOne = takerOf({ contests, judge, people, guests, tasks, deleted, eventId, at, submitted: [] })
    const take = async (...steps: Incident[]) => {
      for (const step of steps) await takeOne(step)
    }
    return { eventId, take }
  }
}

type Clock = ReturnType<typeof clockFrom>

async function openContest(
  contests: ContestService,
  people: readonly Person[],
  tasks: readonly Problem[],
  at: Clock,
) {
  const eventId = await createContest(contests, tasks, { start_time: at(0), end_time: at(240), teams: true })
  const url = `/v1/events/${eventId}`
  const [anna = contests.user, bert, carl] = people
  for (const { id } of people) await contests.admin.post(`${url}/participants`, { user_id: id }, 201)
  const { team_id } = await anna.post(`${url}/teams`, { name: 'Both' })
  await bert?.post(`${url}/teams/${team_id}/join`)
  await carl?.post(`${url}/teams`, { name: 'Alone' })
  await contests.admin.post(`${url}/end`)
  await contests.admin.put(url, { end_time: at(MINUTES.end) }, 200)
  return eventId
}

interface State {
  readonly contests: ContestService
  readonly judge: Caller
  readonly people: readonly Person[]
  readonly guests: readonly Person[]
  readonly tasks: readonly Problem[]
  /** Tasks whose problem was deleted. */
  readonly deleted: Set<number>
  readonly eventId: number
  readonly at: Clock
  readonly submitted: { id: string; task: number }[]
}

function takerOf(state: State) {
  const { contests, people, eventId, at } = state
  const { admin } = contests
  const url = `/v1/events/${eventId}`
  const participant = (nth: number) => `${url}/participants/${people[nth]?.id}`
  return async (step: Incident): Promise<unknown> => {
    switch (step.kind) {
      case 'submit':
        return submit(state, step)
      case 'judge':
        return changeVerdict(state, step)
      case 'rejudge':
        return rejudge(state, step)
      case 'freeze':
        return admin.put(url, { freeze_time: step.minute === undefined ? null : at(step.minute) }, 200)
      case 'end':
        return expectOneOf([200, 400], admin.send('PUT', url, { end_time: at(step.minute) }))
      case 'rules':
        return admin.put(url, { penalty_minutes: step.penalty, scoring: step.scoring }, 200)
      case 'participant':
        return admin.put(participant(step.person), { extra_minutes: step.extra, hidden: step.hidden }, 200)
      case 'remove':
        return expectOneOf([204, 404], admin.send('DELETE', participant(step.person)))
      case 'add': {
        const body = { user_id: people[step.person]?.id }
        return expectOneOf([201, 409], admin.send('POST', `${url}/participants`, body))
      }
      case 'rename': {
        const { id } = people[step.person] ?? contests.user
        return admin.put(`/v1/users/${id}`, { name: `${step.name} ${id}` }, 204)
      }
      case 'register':
        return register(state, step)
      case 'thaw':
        return expectOneOf([200, 409], admin.send('POST', `${url}/thaw${step.query}`))
      default:
        return changeProblem(state, step)
    }
  }
}

async function register({ guests, eventId }: State, { guest }: Step<'register'>): Promise<void> {
  const person = guests[guest]
  if (person === undefined) return
  await expectOneOf([201, 409], person.send('POST', `/v1/public/events/${eventId}/register`))
}

type ProblemStep = Extract<Incident, { kind: `${string} problem` | 'points' }>

async function changeProblem(state: State, step: ProblemStep): Promise<void> {
  const { kind, task } = step
  const { contests, tasks, deleted, eventId } = state
  const { admin } = contests
  const problem_id = tasks[task]?.id ?? 0
  const url = `/v1/events/${eventId}/problems`
  if (kind === 'add problem') {
    await expectOneOf([201, 404, 409], admin.send('POST', url, { problem_id }))
  } else if (kind === 'delete problem') {
    deleted.add(task)
    await expectOneOf([204, 404], admin.send('DELETE', `/v1/problems/${problem_id}`))
  } else {
    const id = (await contests.eventProblemIds(eventId)).get(problem_id)
    if (id === undefined) return
    if (kind === 'points') await admin.put(`${url}/${id}`, { points: step.points }, 200)
    else if (kind === 'drop problem') await admin.delete(`${url}/${id}?force=true`, 204)
    else await admin.put(`${url}/${id}`, { hidden: kind === 'hide problem' }, 200)
  }
}

async function submit(state: State, { person, task, minute, verdict }: Step<'submit'>): Promise<void> {
  const { contests, people, tasks, eventId, submitted } = state
  const id = uuidv7()
  submitted.push({ id, task })
  const by = { user_id: people[person]?.id ?? '', problem_id: tasks[task]?.id ?? 0 }
  await storeSubmission(contests.service, eventId, { id, ...by, minute, ...verdictOn(task, verdict) })
}

async function changeVerdict({ judge, submitted }: State, { nth, verdict }: Step<'judge'>): Promise<void> {
  const judged = submitted.at(-1 - (nth % submitted.length))
  if (judged === undefined) return
  await judge.patch(`/v1/submissions/${judged.id}`, verdictOn(judged.task, verdict), 204)
}

/** Judges all submissions to a problem again, and applies their new verdicts (P24). */
async function rejudge(state: State, step: Step<'rejudge'>): Promise<void> {
  const { contests, judge, tasks, eventId } = state
  const { admin } = contests
  const body = { event_id: eventId, problem_id: tasks[step.task]?.id }
  const requested = await expectOneOf([202, 404], admin.send('POST', '/v1/rejudgings', body))
  if (requested.status === 404) return
  const { id } = requested.body
  const shadows = await decisionsOf(contests).shadowsOf(id)
  for (const [nth, shadow] of [...shadows.values()].entries()) {
    const verdict = step.verdicts[nth % step.verdicts.length] ?? { status: 'ACCEPTED', partial: 0 }
    await judge.patch(`/v1/submissions/${shadow}`, verdictOn(step.task, verdict), 204)
  }
  await admin.post(decisionUrl(id, '/apply'), undefined, 200)
}
