import { unprepared } from '../../src/db/statement.ts'
import { type Person, type TestApp, WEB_BRIDGE_SECRET } from './app.ts'
import { type Problem, type ProblemService, serviceWithProblem } from './judging.ts'

export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

export const isoIn = (minutes: number, now = Date.now()) => new Date(now + minutes * 60_000).toISOString()

/** Both times are from one reading of the clock. */
const between = (start: number, end: number, now = Date.now()) => ({
  start_time: isoIn(start, now),
  end_time: isoIn(end, now),
})

export const running = () => between(-60, 60)
export const scheduled = () => between(60, 120)
export const over = () => between(-120, -60)

/** A service with a problem and people, and short ways to set up contests. */
export async function serviceWithContests(variables: Record<string, string> = {}) {
  const judging = await serviceWithProblem(variables)
  const { service, admin } = judging
  const registerIn = (person: Person, eventId: number) => register(judging, eventId, person)
  return {
    ...judging,
    /** Creates an event, running and without problems by default; resolves to its id. */
    createEvent: (fields?: Record<string, unknown>) =>
      createContest(judging, [], { title: 'A contest', ...fields }),
    deleteEvent: (eventId: number) => admin.delete(`/v1/events/${eventId}`, 204),
    register: registerIn,
    async createParticipant(eventId: number): Promise<Person> {
      const person = await service.createPerson()
      await registerIn(person, eventId)
      return person
    },
    async participantIds(eventId: number): Promise<string[]> {
      const participants: Person[] = await admin.get(`/v1/events/${eventId}/participants`)
      return participants.map(({ id }) => id)
    },
    /** The ids of an event's EventProblems, hidden ones too, by the ids of their problems. */
    async eventProblemIds(eventId: number): Promise<Map<number, number>> {
      const problems: { id: number; problem_id: number }[] = await admin.get(`/v1/events/${eventId}/problems`)
      return new Map(problems.map(({ id, problem_id }) => [problem_id, id]))
    },
    readUser: ({ id }: Person) => admin.get(`/v1/users/${id}`),
    deleteUser: ({ id }: Person) => admin.delete(`/v1/users/${id}`, 204),
    /** The person with a token from before a password reset, which the service refuses (401). */
    async withOldToken(person: Person): Promise<Person> {
      const token = await service.tokens.issueUserToken({ id: person.id, isAdmin: false, sessionVersion: 0 })
      return { ...person, token, ...service.as(token) }
    },
  }
}

export type ContestService = Awaited<ReturnType<typeof serviceWithContests>>

/** Creates a running contest with problems, some with settings, as an admin; resolves to its id. */
export async function createContest(
  { admin }: ProblemService,
  tasks: readonly (Pick<Problem, 'id'> | { problem_id: number; [field: string]: unknown })[],
  fields: Record<string, unknown> = {},
): Promise<number> {
  const problems = tasks.map((task) => ('problem_id' in task ? task : { problem_id: task.id }))
  return (await admin.post('/v1/events', { title: 'Contest', ...running(), problems, ...fields }, 201)).id
}

export async function register({ service }: ProblemService, eventId: number, { token }: Person) {
  await service.as(token).post(`/v1/public/events/${eventId}/register`, undefined, 201)
}

/** Creates an account with a provider's id. It is a key: its deletion locks foreign keys out. */
export async function createBridgePerson(service: TestApp, name: string): Promise<Person> {
  const profile = { id: `provider|${name}`, name, email: `${name}@example.org`, image: '' }
  const { id, token } = await service.as(WEB_BRIDGE_SECRET).post('/v1/create_or_login_user', profile, 200)
  return { ...profile, id, token, ...service.as(token) }
}

const moveContest = unprepared(`update events
   set start_time = now() + $2::float8 * interval '1 minute', end_time = now() + $3::float8 * interval '1 minute'
   where events.id = $1`)

/** Moves a contest in the database: it starts and ends this many minutes from now. */
export async function setTimes({ service }: ProblemService, eventId: number, startIn: number, endIn: number) {
  await service.database.query(moveContest, [eventId, startIn, endIn])
}

const selectParticipants = unprepared<{ user_id: string }>(
  'select user_id::text from event_participants where event_id = $1 order by user_id',
)

export async function readParticipants({ service }: ProblemService, eventId: number): Promise<string[]> {
  return (await service.database.query(selectParticipants, [eventId])).map(({ user_id }) => user_id)
}

/** Creates a running contest with teams; its staff invites two participants, who are one team. */
export async function createInvitedContest(
  { service, createProblem, createEvent, problem, submit }: ContestService,
  fields: object = {},
) {
  const { createPerson } = service
  // Neither is an admin or takes part.
  const [owner, manager] = [await createPerson(), await createPerson()]
  const [insider, mate, outsider] = [await createPerson(), await createPerson(), await createPerson()]
  const secret = await createProblem({ public: false, title: 'Secret', identifier: 'secret' })
  const id = await createEvent({
    ...running(),
    ...{ teams: true, user_id: owner.id, staff: [manager.id], admission: 'invited' },
    problems: [{ problem_id: problem.id }, { problem_id: secret.id }],
    ...fields,
  })
  const [url, publicUrl] = [`/v1/events/${id}`, `/v1/public/events/${id}`]
  const invite = (person: Person) => manager.put(`${url}/participants/${person.id}`, { hidden: false }, 200)
  for (const person of [insider, mate]) await invite(person)
  const { team_id: teamId }: { team_id: string } = await insider.post(`${url}/teams`, { name: 'Insiders' })
  await mate.post(`${url}/teams/${teamId}/join`)
  const { id: questionId }: { id: string } = await insider.post(`${url}/questions`, {
    question: 'Who?',
    problem_id: secret.id,
  })
  await mate.put(`${url}/questions/${questionId}/answer`, { answer: 'We.' })
  const submissionId = await submit(insider, { problem_id: secret.id, event_id: id })
  return {
    ...{ id, url, publicUrl, owner, manager, insider, mate, outsider, secret, invite },
    ...{ teamId, questionId, submissionId },
  }
}

export interface Team {
  readonly id: string
  readonly url: string
  readonly creator: Person
}

/** A service with a running team event, and short ways to set up teams. */
export async function contestWithTeams() {
  const contests = await serviceWithContests()
  const createTeamEvent = () => contests.createEvent({ teams: true })
  const event = await createTeamEvent()
  return {
    ...{ ...contests, event, createTeamEvent },
    /** Creates a team with one member, a new user by default. */
    async createTeam(name: string, eventId = event, creator?: Person): Promise<Team> {
      const by = creator ?? (await contests.service.createPerson())
      const url = `/v1/events/${eventId}/teams`
      const { team_id: id } = await by.post(url, { name }, 201)
      return { id, url: `${url}/${id}`, creator: by }
    },
    async memberIds({ url }: { readonly url: string }): Promise<string[]> {
      const { members } = await contests.admin.get(url)
      return members.map(({ id }: Person) => id)
    },
  }
}
