import { randomUUID } from 'node:crypto'
import { unprepared } from '../../src/db/statement.ts'
import { openTestApp, type Person, type TestApp } from '../support/app.ts'
import { createProblem } from '../support/problems.ts'

/**
 * Opens an application with four or more items in each list, and returns the ids in the paths of
 * its lists. Some items differ only in the last part of the key.
 */
export async function openListContents() {
  const service = await openTestApp()
  const admin = await service.createPerson({ admin: true })
  const user = await service.createPerson()
  for (let n = 0; n < 4; n += 1) {
    const { id } = await service.createPerson()
    await admin.post('/v1/admin/rejudge', { user_id: id })
  }
  for (const name of ['"quoted", \\', 'ünï 😀', 'tab\tand \u0001', "it's", '100 % a+b&c=d?e#f'])
    await admin.post('/v1/categories', { name })
  for (const version of ['2', '2.7', '3.12'])
    await admin.post('/v1/languages', { name: 'Python', extension: 'py', version })
  await createEvents(admin)
  const { eventId, teamId } = await createContestWithTeams(service, admin, user)
  const problemId = await createProblems(service, admin)
  const submissionId = await createSubmissions(service, user, problemId)
  for (const name of ['judge', 'Judge', 'jüdge 1', '"judge", \\', '😀'])
    await service.judge.put(`/v1/judges/${encodeURIComponent(name)}`, { languages: [], concurrency: 1 }, 204)
  for (const label of ['Hall', 'Foyer', '"quoted", \\', '😀', 'Hall'])
    await admin.post(`/v1/events/${eventId}/scoreboard_tokens`, { label }, 201)
  for (let n = 0; n < 4; n += 1)
    await admin.post('/v1/rejudgings', { submission_ids: [submissionId, randomUUID()] }, 202)
  await service.database.query(unprepared('update rejudging_decisions set event_id = $1'), [eventId])
  await service.database.transaction((tx) => tx.execute(TIES))
  await service.database.query(addFiles, [problemId])
  return { service, admin, user, problemId, eventId, teamId, submissionId }
}

const addFiles = unprepared(`
  insert into problem_files (id, problem_id, path, name, bytes)
  select gen_random_uuid(), $1::integer, concat('attachments/', number, '.txt'), concat(number, '.txt'), 0
  from generate_series(1, 5) as number`)

/** Gives three rows each the same time, to the microsecond: the id alone orders them. */
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
  tie('rejudgings', 'requested_at', 'id'),
  tie('scoreboard_tokens', 'created_at', 'id'),
  tie('rejudging_decisions', 'requested_at', 'id'),
].join('')

/** Creates public and private problems, some with very large ids; returns one with categories. */
async function createProblems(service: TestApp, admin: Person): Promise<number> {
  const category_ids = (await admin.get('/v1/categories?limit=7')).map(({ id }: { id: string }) => id)
  let problemId = 0
  for (const isPublic of [false, true, false, true])
    problemId = await createProblem(service, admin, { public: isPublic, category_ids })
  const restart = 'alter table problems alter column id restart with 2147483640'
  await service.database.transaction((tx) => tx.execute(restart))
  for (const isPublic of [false, true, false, true]) await createProblem(service, admin, { public: isPublic })
  return problemId
}

const submit = async (person: Person, problem_id: number, fields: object = {}): Promise<string> => {
  const [{ id: language_id }] = await person.get('/v1/languages')
  const body = { user_id: person.id, problem_id, language_id, source_code: 'print(3)', ...fields }
  return (await person.post('/v1/submissions', body)).id
}

/** Ten submissions to a problem; returns the last, which was judged several times. */
async function createSubmissions({ judge }: TestApp, user: Person, problemId: number): Promise<string> {
  for (let n = 0; n < 9; n += 1) await submit(user, problemId)
  const id = await submit(user, problemId)
  for (const status of ['WRONG_ANSWER', 'RUNTIME_ERROR', 'WRONG_ANSWER', 'INTERNAL_ERROR', 'ACCEPTED'])
    await judge.patch(`/v1/submissions/${id}`, { status })
  return id
}

async function createEvents(admin: Person): Promise<void> {
  for (const start_time of [
    ...['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000001Z', '9999-12-31T23:59:59.999997Z'],
    ...['9999-12-31T23:59:59.999998Z', '2026-04-01T18:00:00Z', '2026-04-01T18:00:00Z'],
    ...['2300-01-01T00:00:00.123456Z', '2300-01-01T00:00:00.123457Z', '1969-12-31T23:59:59.999999Z'],
  ])
    await admin.post('/v1/events', { title: start_time, start_time, end_time: '9999-12-31T23:59:59.999999Z' })
}

/** Creates a contest with submissions and questions. The user tried each problem in a team. */
async function createContestWithTeams(service: TestApp, admin: Person, user: Person) {
  const tasks: number[] = []
  for (let n = 0; n < 5; n += 1) tasks.push(await createProblem(service, admin))
  const times = { start_time: '2026-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' }
  const problems = tasks.map((problem_id) => ({ problem_id }))
  const { id: eventId } = await admin.post('/v1/events', { title: 'Whole', teams: true, ...times, problems })
  const url = `/v1/events/${eventId}`
  const people = [user]
  for (let n = 0; n < 5; n += 1) people.push(await service.createPerson())
  const [, mate = user, ...others] = people
  const { team_id: teamId } = await user.post(`${url}/teams`, { name: 'Us' })
  await mate.post(`${url}/teams/${teamId}/join`)
  for (const person of others) await person.post(`${url}/teams`, { name: `Team of ${person.id}` })
  for (const person of people) {
    for (const problem_id of tasks) await submit(person, problem_id, { event_id: eventId })
    await mate.post(`${url}/questions`, { question: 'And now?' })
  }
  return { eventId: Number(eventId), teamId: String(teamId) }
}
