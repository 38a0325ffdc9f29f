import { describe, expect, it } from 'vitest'
import type { Person } from '../../support/app.ts'
import type { Caller } from '../../support/caller.ts'
import { createInvitedContest, serviceWithContests } from '../../support/contests.ts'
import { expectRefused, submissionBody } from '../../support/judging.ts'
import { forbidden, notFound, refusal } from '../../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, problem, language, service } = contests
const { judge } = service
const world = await createInvitedContest(contests)
const { id, url, publicUrl, owner, manager, insider, mate, outsider, secret } = world
const eventProblems = await contests.eventProblemIds(id)

const barred = refusal(403, 'NOT_A_PARTICIPANT')
const noEvent = notFound('event')

/** Everything within the contest that its people may read. */
const paths = [
  ...['problems', 'attempts', 'user_problem_status', 'problems_stats', 'teams', 'questions'],
  ...[`teams/${world.teamId}`, `problems/${eventProblems.get(problem.id)}`],
].map((path) => `${url}/${path}`)
paths.push(`${publicUrl}/participants`)

describe('an invited contest, for users who are not in it (P21)', () => {
  it('has no way in: they cannot register, submit, create a team or join one (403)', async () => {
    await outsider.post(`${publicUrl}/register`, undefined, barred)
    await outsider.post(`${url}/teams`, { name: 'Outsiders' }, barred)
    await outsider.post(`${url}/teams/${world.teamId}/join`, undefined, barred)
    await outsider.post(`${url}/teams/${outsider.id}/join`, undefined, barred)
    const here = { event_id: id }
    await expectRefused(
      contests,
      [outsider, here, barred],
      [outsider, { ...here, problem_id: secret.id }, barred],
      [outsider, { ...here, problem_id: 2 ** 31 - 1 }, barred],
    )
    expect(await contests.participantIds(id)).toEqual([insider.id, mate.id])
  })

  it('gets 404 for everything within it and its private problem, which its people can read', async () => {
    for (const path of paths) {
      await outsider.get(path, { status: 404 })
      await outsider.get(`${path}?limit=1`, { status: 404 })
      for (const by of [insider, mate, manager, owner, admin, judge]) await by.get(path, 200)
    }
    await outsider.get(`${url}/teams/me`, noEvent)
    await outsider.get(`${url}/submissions?user=${outsider.id}`, noEvent)
    await outsider.post(`${url}/questions`, { question: 'Hello?' }, noEvent)
    await outsider.get(`/v1/problems/${secret.id}`, notFound('problem'))
    expect(await insider.get(`/v1/problems/${secret.id}`)).toMatchObject({ title: 'Secret' })
    const answer = `${url}/questions/${world.questionId}/answer`
    await outsider.put(answer, { answer: 'Hello!' }, notFound('question in the event'))
    expect(await insider.get(`${url}/questions`)).toMatchObject([{ answer: 'We.' }])
  })

  it('is listed and can be read, without participants, problems and their numbers', async () => {
    const closed = { problems: [], participants: [], problem_count: 0, participant_count: 0 }
    const listed = async (by: Person) =>
      (await by.get('/v1/public/events')).find((event: { id: number }) => event.id === id)
    expect(await outsider.get(publicUrl)).toMatchObject({ title: 'A contest', ...closed })
    expect(await listed(outsider)).toMatchObject(closed)
    for (const person of [insider, manager, owner, admin]) {
      const problems = [{ id: problem.id }, { id: secret.id }]
      const open = { problems, problem_count: 2, participant_count: 2 }
      const participants = [{ id: insider.id }, { id: mate.id }]
      expect(await person.get(publicUrl)).toMatchObject({ ...open, participants })
      expect(await listed(person)).toMatchObject(open)
    }
    expect(await listed(insider)).toMatchObject({ participants: [{ id: insider.id, email: insider.email }] })
  })

  it('is open like any other once staff opens it', async () => {
    const other = await createInvitedContest(contests)
    await admin.put(other.url, { admission: 'open' }, 200)
    await other.outsider.post(`${other.publicUrl}/register`, undefined, 201)
    await contests.submit(contests.user, { event_id: other.id })
    expect(await other.outsider.get(other.publicUrl)).toMatchObject({ participant_count: 4 })
  })
})

describe('the people of an invited contest', () => {
  it('include users added by staff, staff who register or submit, and a user with a submission sent by an admin', async () => {
    const other = await createInvitedContest(contests)
    const [one, two] = [await service.createPerson(), await service.createPerson()]
    await other.invite(one)
    await admin.post(`${other.url}/participants`, { user_id: two.id }, 201)
    const { team_id } = await one.post(`${other.url}/teams`, { name: 'New' }, 201)
    await two.post(`${other.url}/teams/${team_id}/join`, undefined, 201)
    for (const person of [one, two]) await contests.submit(person, { event_id: other.id })
    await other.manager.post(`${other.publicUrl}/register`, undefined, 201)
    await contests.submit(other.owner, { event_id: other.id })
    const body = { ...submissionBody(other.outsider, problem, language), event_id: other.id }
    await admin.post('/v1/submissions', body, 201)
    const people = [other.insider, other.mate, one, two, other.manager, other.owner, other.outsider]
    expect(await contests.participantIds(other.id)).toEqual(people.map(({ id: personId }) => personId))
  })

  it('add no problems unless they are staff (403), and its author adds none either', async () => {
    const own = await contests.createProblem({ public: false, user_id: insider.id })
    for (const by of [insider, outsider, judge])
      await by.post(`${url}/problems`, { problem_id: own.id }, forbidden)
    const other = await createInvitedContest(contests)
    const { id: problem_id } = await contests.createProblem()
    await other.manager.post(`${other.url}/problems`, { problem_id }, 201)
  })
})

describe('e-mail addresses in an invited contest', () => {
  const people = `${publicUrl}/participants`

  const shown = async (by: Caller, path: string) => {
    const text = JSON.stringify(await by.get(path, 200))
    return [insider.email, mate.email].filter((email) => text.includes(email))
  }

  it('are shown to staff in all its lists, and to others only their own', async () => {
    const submissions = `${url}/submissions?team=${world.teamId}`
    const ofContest = [`${url}/teams/${world.teamId}`, `${url}/questions`]
    for (const path of [people, `${people}?limit=2`, publicUrl, ...ofContest]) {
      for (const by of [manager, owner, admin])
        expect(await shown(by, path)).toEqual([insider.email, mate.email])
      for (const by of [insider, mate]) expect(await shown(by, path)).toEqual([by.email])
      expect(await shown(judge, path)).toEqual([])
    }
    for (const path of [`${url}/teams/me`, submissions, '/v1/user/notifications', '/v1/public/events'])
      expect(await shown(insider, path), path).toEqual([insider.email])
    expect(await shown(admin, submissions)).toEqual([insider.email])
  })

  it('are in the record of a user for the user, admins and staff of the contest only', async () => {
    const record = `/v1/users/${insider.id}`
    for (const by of [insider, manager, owner, admin])
      expect(await by.get(record)).toMatchObject({ name: insider.name, email: insider.email })
    for (const by of [mate, outsider, judge])
      expect(await by.get(record)).toMatchObject({ name: insider.name, email: '' })
    expect(await insider.get(`/v1/users/${outsider.id}`)).toMatchObject({ email: outsider.email })
  })

  it('are not shown to the staff of a contest from which the user was removed, nor after its deletion', async () => {
    const [helper, student] = [await service.createPerson(), await service.createPerson()]
    const first = await contests.createEvent({ admission: 'invited' })
    const second = await contests.createEvent({ admission: 'invited', staff: [helper.id] })
    const pathIn = (event: number) => `/v1/events/${event}/participants/${student.id}`
    const shownToHelper = async () => (await helper.get(`/v1/users/${student.id}`)).email
    for (const event of [first, second]) await admin.put(pathIn(event), { hidden: false })
    expect(await shownToHelper()).toBe(student.email)
    await helper.delete(pathIn(second))
    expect(await shownToHelper()).toBe('')
    for (const event of [first, second]) await contests.deleteEvent(event)
    expect(await shownToHelper()).toBe('')
  })

  it('are shown as before in open contests', async () => {
    const open = await contests.createEvent()
    for (const person of [contests.user, contests.stranger]) await contests.register(person, open)
    const list: Person[] = await outsider.get(`/v1/public/events/${open}/participants`)
    expect(list.map(({ email }) => email)).toEqual([contests.user.email, contests.stranger.email])
    expect(await outsider.get(`/v1/users/${contests.user.id}`)).toMatchObject({ email: contests.user.email })
  })
})
