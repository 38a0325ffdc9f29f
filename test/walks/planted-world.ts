import { createHash, randomUUID } from 'node:crypto'
import { unprepared } from '../../src/db/statement.ts'
import type { Person, TestApp } from '../support/app.ts'
import { type ContestService, over, running, scheduled, serviceWithContests } from '../support/contests.ts'
import type { Problem } from '../support/judging.ts'
import { storePackage } from '../support/stored-package.ts'
import {
  type Plant,
  PRIVATE_PROBLEMS,
  type PrivateProblem,
  plantProblems,
  searchedMarks,
} from './plant-problems.ts'

/** A service in which every text is a mark that occurs nowhere else. */
export type PlantedWorld = Awaited<ReturnType<typeof plantWorld>>

type People = Record<'victim' | 'mate' | 'rival' | 'elsewhere' | 'gone', Person>

/** Opens an application and plants, through its routes, everything that some users must not see. */
export async function plantWorld(variables: Record<string, string> = { SEARCH_BACKEND: 'postgres' }) {
  const contests = await serviceWithContests(variables)
  const { service, admin } = contests
  const marks = new Map<string, string>()
  const plant: Plant = (name) => {
    const mark = `${name}-${randomUUID().slice(0, 13)}`
    marks.set(name, mark)
    return mark
  }
  const [mate, rival] = [await service.createPerson(), await service.createPerson()]
  const people = {
    /** Owns most marks: an account of the bridge with a password, in a contest, in a team. */
    victim: await plantAccount(contests, plant, marks),
    /** The mate is in the victim's team; the rival is in this contest and in one before its start. */
    ...{ mate, rival },
    elsewhere: await service.createPerson(),
    gone: await plantLeaver(service, plant),
  }
  const problem = await contests.createProblem({
    test_cases: [
      { input: '1', expected_output: '1' },
      { input: plant('hiddenInput'), expected_output: plant('hiddenOutput'), hidden: true },
    ],
  })
  const secrets = await plantProblems(contests, plant)
  const events = await plantEvents(contests, people, problem, secrets)
  const teams = await plantTeams(events, people)
  const submissions = await plantSubmissions(contests, plant, people, { problem, secrets, events })
  const questions = await plantQuestions(contests, plant, people, { secrets, events })
  const runs = await plantRuns(contests, plant, people.victim)
  const shadow = await plantShadow(contests, plant, problem)
  const verification = await plantVerification(contests, plant, problem)
  const rejudging = await admin.post('/v1/admin/rejudge', { user_id: admin.id })
  const invited = await plantInvited(contests, plant)
  const renamed = await plantNameAtEnd(contests, plant)
  const scoreboard = await plantScoreboard(contests, marks, events.arena)
  const request = { event_id: events.arena, reason: plant('decisionReason') }
  const decision = await admin.post('/v1/rejudgings', request, 202)
  await people.gone.delete(`/v1/users/${people.gone.id}`)
  const eventIds = [...Object.values(events), invited.eventId, renamed.eventId]
  const eventProblems = await Promise.all(eventIds.map((id) => contests.eventProblemIds(id)))
  const userIds = [...Object.values(people), invited.insider, renamed.person].map(({ id }) => id)
  const teamIds = [...teams, invited.teamId]
  /** All existing ids for paths and queries, by the name of the parameter. */
  const ids: Readonly<Record<string, readonly (string | number)[]>> = {
    ...{ user_id: userIds, user: userIds, event_id: eventIds, team_id: teamIds, team: teamIds },
    problem_id: [problem, ...Object.values(secrets), invited.problem].map(({ id }) => id),
    test_case_id: [problem, ...Object.values(secrets)].flatMap(({ cases }) => cases.slice(-1)),
    event_problem_id: eventProblems.flatMap((byProblem) => [...byProblem.values()]),
    submission_id: [...submissions, invited.submissionId, shadow, ...verification.judgings],
    ...{ run_id: runs, question_id: [...questions, invited.questionId], rejudging_id: [rejudging.id] },
    ...{ decision_id: [decision.id], verification_id: [verification.id], scoreboard_token_id: [scoreboard] },
    ...{ judge_name: ['judge-1'], file: ['licences.txt'] },
    ...{ title: ['A contest', 'Another contest'], username: ['', '-'], limit: [1], by: ['user', 'team'] },
    query: ['Answer', '-', ...searchedMarks(marks)],
    name: PRIVATE_PROBLEMS.map((problem) => marks.get(`${problem}FileName`) ?? ''),
  }
  return { contests, marks, ...people, invited, ids }
}

/** The marks that only the people of the contest see; staff alone sees the e-mail. */
export const OF_INSIDERS = [
  ...['invitedTeam', 'invitedQuestion', 'invitedAnswer', 'invitedTitle', 'invitedPrompt'],
]

/** Plants a contest for invited users, with marks of its own. */
async function plantInvited(
  { admin, service, createEvent, createProblem, submit }: ContestService,
  plant: Plant,
) {
  const { anonymous, as, createPerson } = service
  const account = { name: plant('invitedName'), email: `${plant('invitedEmail')}@example.org` }
  const { id, token } = await anonymous.post('/v1/basic_register', { ...account, password: 'of an insider' })
  // Plants the marks: their name, e-mail, team, problem, question and answer.
  const insider: Person = { ...account, id, token, ...as(token) }
  // Both take part in the insider's team; staff removes the other one.
  const [teammate, removed] = [await createPerson(), await createPerson()]
  const texts = { title: plant('invitedTitle'), prompt: plant('invitedPrompt') }
  const problem = await createProblem({ ...texts, public: false })
  const rules = { admission: 'invited', title: 'For invited users', teams: true }
  const eventId = await createEvent({ ...running(), ...rules, problems: [{ problem_id: problem.id }] })
  const url = `/v1/events/${eventId}`
  for (const person of [insider, teammate, removed])
    await admin.post(`${url}/participants`, { user_id: person.id })
  const { team_id: teamId } = await insider.post(`${url}/teams`, { name: plant('invitedTeam') })
  for (const person of [teammate, removed]) await person.post(`${url}/teams/${teamId}/join`)
  const question = { question: plant('invitedQuestion'), problem_id: problem.id }
  const { id: questionId } = await insider.post(`${url}/questions`, question)
  await insider.put(`${url}/questions/${questionId}/answer`, { answer: plant('invitedAnswer') })
  const submissionId = await submit(insider, { problem_id: problem.id, event_id: eventId })
  await admin.delete(`${url}/participants/${removed.id}`)
  return { insider, teammate, removed, problem, eventId, teamId, questionId, submissionId }
}

/** Renames a participant after the end of a contest: the name at the end only orders the rows. */
async function plantNameAtEnd({ admin, service, createEvent }: ContestService, plant: Plant) {
  const person = await service.createPerson()
  const eventId = await createEvent({ ...over(), title: 'An ended contest' })
  await admin.post(`/v1/events/${eventId}/participants`, { user_id: person.id })
  for (const name of [plant('nameAtEnd'), person.name]) await admin.put(`/v1/users/${person.id}`, { name })
  return { eventId, person }
}

/** Creates an account with a provider, a password and a reset token; their hashes are marks too. */
async function plantAccount({ service, admin }: ContestService, plant: Plant, marks: Map<string, string>) {
  const { as, anonymous, database } = service
  const email = `${plant('email')}@example.org`
  const account = { id: plant('providerId'), name: plant('name'), email, image: plant('image') }
  const { id } = await as(service.config.secrets.webBridge).post('/v1/create_or_login_user', account)
  const password = plant('password')
  await admin.put(`/v1/users/${id}/password`, { password })
  const person = await anonymous.post('/v1/basic_login', { email, password })
  await database.query(insertReset, [id, plant('resetTokenHash')])
  const [row] = await database.query(readHash, [id])
  marks.set('passwordHash', row?.password_hash ?? '')
  return { ...person, ...as(person.token) }
}

const insertReset = unprepared(
  `insert into password_resets (user_id, token_hash, expires_at) values ($1, $2, now() + interval '1 hour')`,
)
const readHash = unprepared<{ password_hash: string }>('select password_hash from users where id = $1')

/** Creates a scoreboard token; it and its hash are marks. Resolves to its id. */
async function plantScoreboard({ admin }: ContestService, marks: Map<string, string>, eventId: number) {
  const { id, token } = await admin.post(`/v1/events/${eventId}/scoreboard_tokens`, { label: 'Hall' }, 201)
  marks.set('scoreboardToken', token)
  marks.set('scoreboardTokenHash', createHash('sha256').update(token).digest('hex'))
  return id
}

/** Creates an account that is deleted after it has left traces. */
async function plantLeaver({ as, anonymous }: TestApp, plant: Plant): Promise<Person> {
  const account = { name: plant('goneName'), email: `${plant('goneEmail')}@example.org` }
  const body = { ...account, image: plant('goneImage'), password: 'a password of theirs' }
  const person = await anonymous.post('/v1/basic_register', body)
  return { ...person, ...as(person.token) }
}

type Events = Record<'arena' | 'other' | 'unbegun', number>

async function plantEvents(
  { createEvent, register }: ContestService,
  { victim, mate, rival, elsewhere, gone }: People,
  { id: problem_id }: Problem,
  { hidden, unbegun, open }: Record<PrivateProblem, Problem>,
): Promise<Events> {
  const hiddenProblem = { problem_id: hidden.id, hidden: true }
  const arenaProblems = [{ problem_id }, hiddenProblem, { problem_id: open.id, memory_limit: 99 }]
  const unbegunProblems = [{ problem_id: unbegun.id }, { problem_id: open.id }]
  const other = { ...running(), title: 'Another contest', problems: [{ problem_id }] }
  const events = {
    arena: await createEvent({ teams: true, problems: arenaProblems }),
    other: await createEvent({ teams: true, ...other }),
    unbegun: await createEvent({ teams: true, ...scheduled(), problems: unbegunProblems }),
  }
  for (const person of [victim, mate, rival, gone]) await register(person, events.arena)
  await register(elsewhere, events.other)
  await register(rival, events.unbegun)
  return events
}

async function plantTeams(events: Events, people: People): Promise<string[]> {
  const create = async (person: Person, eventId: number): Promise<string> =>
    (await person.post(`/v1/events/${eventId}/teams`, { name: 'A team' })).team_id
  const ours = await create(people.victim, events.arena)
  for (const person of [people.mate, people.gone])
    await person.post(`/v1/events/${events.arena}/teams/${ours}/join`)
  return [ours, await create(people.elsewhere, events.other), await create(people.rival, events.unbegun)]
}

type Contests = { problem: Problem; secrets: Record<PrivateProblem, Problem>; events: Events }

/** Plants two rejudged submissions of the victim, and one of every other kind. */
async function plantSubmissions(
  { submit, giveVerdict, admin }: ContestService,
  plant: Plant,
  { victim, rival, elsewhere, gone }: People,
  { problem, secrets, events }: Contests,
): Promise<string[]> {
  const submitJudged = async (prefix: string, fields: object): Promise<string> => {
    const source_code = plant(`${prefix}Source`)
    const id = await submit(victim, { problem_id: problem.id, source_code, ...fields })
    for (const verdict of [`${prefix}First`, `${prefix}Last`]) {
      const result = {
        ...{ stdout: plant(`${verdict}ResultOut`), stderr: plant(`${verdict}ResultErr`) },
        ...{ team_message: plant(`${verdict}TeamMessage`), transcript: plant(`${verdict}Transcript`) },
        judge_message: plant(`${verdict}CaseMessage`),
      }
      await giveVerdict(id, {
        ...{ status: 'WRONG_ANSWER', stdout: plant(`${verdict}Out`), stderr: plant(`${verdict}Err`) },
        ...{ worker: plant(`${verdict}Worker`), judge_message: plant(`${verdict}JudgeMessage`) },
        test_case_results: [{ test_case_id: problem.cases[1], passed: false, ...result }],
      })
    }
    return id
  }
  const { arena, other } = events
  const goneSource = { event_id: arena, source_code: plant('goneSource') }
  return [
    await submitJudged('contest', { event_id: arena }),
    await submitJudged('practice', {}),
    await submit(gone, { problem_id: problem.id, ...goneSource }),
    await submit(admin, { problem_id: secrets.private.id }),
    await submit(admin, { problem_id: secrets.hidden.id, event_id: arena }),
    await submit(rival, { problem_id: secrets.open.id, event_id: arena }),
    await submit(elsewhere, { problem_id: problem.id, event_id: other }),
  ]
}

/** Plants a judged shadow judging, of a program that is no submission. */
async function plantShadow({ admin, giveVerdict, language }: ContestService, plant: Plant, problem: Problem) {
  const program = { problem_id: problem.id, language_id: language.id, source_code: plant('shadowSource') }
  const { id } = await admin.post('/v1/admin/shadow_judgings', program)
  const outputs = { stdout: plant('shadowOut'), stderr: plant('shadowErr') }
  await giveVerdict(id, { status: 'WRONG_ANSWER', ...outputs })
  return id
}

/** Plants a verification of a package; `judgings` are the ids of its shadow judgings. */
async function plantVerification({ service, admin }: ContestService, plant: Plant, { id }: Problem) {
  const files = {
    [`submissions/accepted/${plant('verifiedName')}.py`]: plant('verifiedSource'),
    [`input_validators/${plant('validatorName')}.py`]: plant('validatorSource'),
  }
  await storePackage(service, id, { files })
  const verification = await admin.post(`/v1/problem_packages/${id}/verifications`, undefined, 201)
  const select = 'select id from shadow_judgings where verification_id = $1'
  const judgings = await service.database.query(unprepared<{ id: string }>(select), [verification.id])
  return { id: verification.id, judgings: judgings.map((judging) => judging.id) }
}

/** Plants questions and answers of the victim and the leaver, and about private problems. */
async function plantQuestions(
  { admin }: ContestService,
  plant: Plant,
  { victim, gone }: People,
  { secrets, events }: Pick<Contests, 'secrets' | 'events'>,
): Promise<string[]> {
  const url = `/v1/events/${events.arena}/questions`
  const { id } = await victim.post(url, { question: plant('question') })
  const left = await gone.post(url, { question: plant('goneQuestion') })
  await admin.put(`${url}/${id}/answer`, { answer: plant('answer') })
  const questions: string[] = [id, left.id]
  const about = Object.values(secrets).map((problem) => [events.arena, problem] as const)
  about.push([events.other, secrets.open], [events.unbegun, secrets.unbegun])
  for (const [eventId, { id: problem_id }] of about) {
    const ofEvent = `/v1/events/${eventId}/questions`
    const question = await admin.post(ofEvent, { question: 'What of it?', problem_id })
    await admin.put(`${ofEvent}/${question.id}/answer`, { answer: 'Nothing.' })
    questions.push(question.id)
  }
  return questions
}

/** Plants a run through each of the three channels. */
async function plantRuns({ language, service }: ContestService, plant: Plant, victim: Person) {
  const runs: string[] = []
  const channels = { run: '', publicRun: 'public/', benchRun: 'bench/' }
  for (const [name, path] of Object.entries(channels)) {
    const caller = path === '' ? victim : service.anonymous
    const program = { source_code: plant(`${name}Source`), stdin: plant(`${name}In`) }
    const id = await caller.post(`/v1/${path}input_submissions`, { language_id: language.id, ...program })
    const output = { stdout: plant(`${name}Out`), stderr: plant(`${name}Err`) }
    const verdict = { status: 'ACCEPTED', runtime: 0.1, ...output }
    await service.judge.patch(`/v1/input_submissions/${id}`, verdict, 204)
    runs.push(id)
  }
  return runs
}
