import { expect } from 'vitest'
import { openTestApp, type Person, type TestApp } from '../support/app.ts'
import { createCategory, createProblem, submit } from '../support/problems.ts'

/** What stands in the paths of the lists. */
export interface ListContents {
  readonly service: TestApp
  readonly admin: Person
  readonly user: Person
  readonly problemId: number
  readonly eventId: number
  readonly teamId: string
  readonly submissionId: string
}

/** Opens an application in which every list has four items or more, some of them equal in all but the last part of their order. */
export async function openListContents(): Promise<ListContents> {
  const service = await openTestApp()
  const admin = await service.createPerson({ admin: true })
  const user = await service.createPerson()
  for (let n = 0; n < 4; n += 1) await service.createPerson()
  await fillCategories(service, admin)
  await fillLanguages(service, admin)
  await fillEvents(service, admin)
  const { eventId, teamId } = await fillEvent(service, admin, user)
  const problemId = await fillProblems(service, admin)
  for (let n = 0; n < 9; n += 1) expect(await submit(service, user, problemId)).toMatchObject({ status: 201 })
  const submissionId = await fillVerdicts(service, user, problemId)
  await service.database.transaction((tx) => tx.execute(TIES))
  return { service, admin, user, problemId, eventId, teamId, submissionId }
}

/** Threes of the same instant, to the microsecond: only the id tells their order. */
const tie = (table: string, column: string, id: string) => `
  update ${table}
  set ${column} = timestamptz '2026-03-01 12:00:00.123456Z' + numbered.place / 3 * interval '1 microsecond'
  from (select ctid as row, (row_number() over (order by md5(${id}::text)))::integer as place from ${table}) as numbered
  where numbered.row = ${table}.ctid;`

const TIES = [
  tie('submissions', 'submit_time', 'id'),
  tie('event_participants', 'joined_at', 'user_id'),
  tie('questions', 'created_at', 'id'),
  tie('notifications', 'created_at', 'id'),
].join('')

async function create(service: TestApp, { token }: Person, url: string, body?: unknown) {
  const answer = await service.send({ method: 'POST', url, token, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function fillCategories(service: TestApp, admin: Person): Promise<void> {
  for (const name of ['"quoted", \\', 'ünï 😀', 'tab\tand \u0001', "it's", '100 % a+b&c=d?e#f']) {
    await createCategory(service, admin, name)
  }
}

/** Public and private ones in turn, the last ids close to the end of their type; answers one with categories. */
async function fillProblems(service: TestApp, admin: Person): Promise<number> {
  const { body } = await service.send({ method: 'GET', url: '/v1/categories', token: admin.token })
  const category_ids = body.map(({ id }: { id: string }) => id).slice(0, 7)
  let problemId = 0
  for (let n = 0; n < 4; n += 1)
    problemId = await createProblem(service, admin, { public: n % 2 === 1, category_ids })
  const restart = 'alter table problems alter column id restart with 2147483640'
  await service.database.transaction((tx) => tx.execute(restart))
  for (let n = 0; n < 4; n += 1) await createProblem(service, admin, { public: n % 2 === 1 })
  return problemId
}

/** A submission that was judged again and again, several times as the same attempt. */
async function fillVerdicts(service: TestApp, user: Person, problemId: number): Promise<string> {
  const { body } = await submit(service, user, problemId)
  for (const status of ['WRONG_ANSWER', 'RUNTIME_ERROR', 'WRONG_ANSWER', 'INTERNAL_ERROR', 'ACCEPTED']) {
    const url = `/v1/submissions/${body.id}`
    const token = service.judgeToken
    expect(await service.send({ method: 'PATCH', url, token, body: { status } })).toMatchObject({
      status: 204,
    })
  }
  return body.id
}

/** Several of the same name: only the id tells their order. */
async function fillLanguages(service: TestApp, admin: Person): Promise<void> {
  for (const version of ['2', '2.7', '3.12']) {
    await create(service, admin, '/v1/languages', { name: 'Python', extension: 'py', version })
  }
}

/** From the first instant there is to the last, some of the same start and some a microsecond apart. */
async function fillEvents(service: TestApp, admin: Person): Promise<void> {
  for (const start_time of [
    ...['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000001Z', '9999-12-31T23:59:59.999997Z'],
    ...['9999-12-31T23:59:59.999998Z', '2026-04-01T18:00:00Z', '2026-04-01T18:00:00Z'],
    ...['2300-01-01T00:00:00.123456Z', '2300-01-01T00:00:00.123457Z', '1969-12-31T23:59:59.999999Z'],
  ]) {
    const end_time = '9999-12-31T23:59:59.999999Z'
    await create(service, admin, '/v1/events', { title: start_time, start_time, end_time })
  }
}

/** A team event with problems, people, teams, submissions and questions; the user has tried every problem and is on a team with another. */
async function fillEvent(service: TestApp, admin: Person, user: Person) {
  const tasks: number[] = []
  for (let n = 0; n < 5; n += 1) tasks.push(await createProblem(service, admin))
  const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' }
  const problems = tasks.map((problem_id) => ({ problem_id }))
  const event = await create(service, admin, '/v1/events', {
    title: 'Whole',
    teams: true,
    ...times,
    problems,
  })
  const url = `/v1/events/${event.id}`
  const people = [user]
  for (let n = 0; n < 5; n += 1) people.push(await service.createPerson())
  const [, mate = user, ...others] = people
  const { team_id: teamId } = await create(service, user, `${url}/teams`, { name: 'Us' })
  await create(service, mate, `${url}/teams/${teamId}/join`)
  for (const [n, person] of others.entries())
    await create(service, person, `${url}/teams`, { name: `Team ${n}` })
  const languages = await service.send({ method: 'GET', url: '/v1/languages' })
  const program = { language_id: languages.body[0].id, source_code: 'print(3)', event_id: event.id }
  for (const { id, token } of people) {
    for (const problem_id of tasks) {
      await create(service, { ...user, id, token }, '/v1/submissions', {
        ...program,
        user_id: id,
        problem_id,
      })
    }
    await create(service, mate, `${url}/questions`, { question: 'And now?' })
  }
  return { eventId: Number(event.id), teamId: String(teamId) }
}
