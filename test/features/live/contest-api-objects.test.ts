import { describe, expect, it } from 'vitest'
import type { Person } from '../../support/app.ts'
import { objectsOf } from '../../support/contest-api.ts'
import { contestWithTeams, createContest, isoIn } from '../../support/contests.ts'
import { readZip } from '../../support/read-zip.ts'

const contests = await contestWithTeams()
const { service, admin, user, stranger, problem, createTeam, createParticipant, submit } = contests
const { judge, anonymous } = service
const second = await contests.createProblem()
const problems = [{ problem_id: problem.id }, { problem_id: second.id }]
const create = (fields: object = {}) => createContest(contests, problems, { staff: [user.id], ...fields })
const participant = (eventId: number, { id }: Person) => `/v1/events/${eventId}/participants/${id}`

/** A contest with a participant, a tester and one whom staff has removed. */
async function contestWithPeople(fields: object = {}) {
  const eventId = await create(fields)
  const [shown, tester, removed] = [
    await createParticipant(eventId),
    await createParticipant(eventId),
    await createParticipant(eventId),
  ]
  await admin.put(participant(eventId, tester), { hidden: true })
  return {
    ...{ eventId, shown, tester, removed, objects: objectsOf(eventId) },
    remove: () => admin.delete(participant(eventId, removed), 204),
  }
}

describe('the teams of the Contest API (P26)', () => {
  it('are the participants of a contest without teams; staff and themselves see testers', async () => {
    const { objects, shown, tester, remove } = await contestWithPeople({ scoreboard: 'public' })
    await remove()
    for (const caller of [stranger, judge, anonymous, shown]) {
      expect(await objects.list(caller, 'teams')).toEqual([
        { id: shown.id, name: shown.name, label: shown.name, group_ids: ['participants'] },
      ])
    }
    for (const caller of [admin, user, tester]) {
      expect((await objects.list(caller, 'teams')).map(({ id, group_ids }) => [id, group_ids])).toEqual([
        [shown.id, ['participants']],
        [tester.id, []],
      ])
    }
  })

  it('are those with a member whom the caller sees, for staff also empty ones', async () => {
    const { eventId, objects, shown, tester, removed, remove } = await contestWithPeople({ teams: true })
    const both = await createTeam('Both', eventId, shown)
    const testers = await createTeam('Testers', eventId, tester)
    const empty = await createTeam('Empty', eventId, removed)
    await remove()
    for (const caller of [stranger, judge]) expect(await objects.values(caller, 'teams')).toEqual([both.id])
    expect(await objects.values(tester, 'teams')).toEqual([both.id, testers.id])
    expect(await objects.values(user, 'teams', 'name')).toEqual(['Both', 'Empty', 'Testers'])
    expect(await objects.values(user, 'teams', 'group_ids')).toEqual([['participants'], [], []])
    await objects.get(stranger, `teams/${empty.id}`, 404)
  })
})

describe('the persons and accounts of the Contest API (P26)', () => {
  it('are participants, owner and staff; only staff and the person see an e-mail', async () => {
    const fields = { teams: true, scoreboard: 'public' }
    const { eventId, objects, shown, removed, remove } = await contestWithPeople(fields)
    await remove()
    const alone = await createParticipant(eventId)
    const team = await createTeam('Team', eventId, shown)
    const contestant = { id: shown.id, name: shown.name, role: 'contestant', team_ids: [team.id] }
    const persons = [
      contestant,
      { id: alone.id, name: alone.name, role: 'other' },
      { id: user.id, name: user.name, role: 'staff' },
      { id: admin.id, name: admin.name, role: 'staff' },
    ]
    for (const caller of [anonymous, stranger, judge]) {
      const listed = await objects.list(caller, 'persons')
      expect(listed).toHaveLength(persons.length)
      expect(listed).toEqual(expect.arrayContaining(persons))
    }
    expect(await objects.list(shown, 'persons')).toContainEqual({ ...contestant, email: shown.email })
    expect(await objects.list(user, 'persons')).toContainEqual({ ...contestant, email: shown.email })
    await objects.get(user, `persons/${removed.id}`, 404)
  })

  it('show accounts to staff, and to others their own; a deleted user has none, but the submissions stay', async () => {
    const { eventId, objects, shown, tester, removed } = await contestWithPeople()
    const account = (person: Person, more: object) => ({
      ...{ id: person.id, username: person.email, name: person.name, person_id: person.id },
      ...more,
    })
    const own = account(shown, { type: 'team', team_id: shown.id })
    expect(await objects.list(shown, 'accounts')).toEqual([own])
    expect(await objects.get(shown, 'account')).toEqual(own)
    for (const caller of [user, admin]) {
      const accounts = await objects.list(caller, 'accounts')
      const people = [shown, tester, removed, user, admin]
      expect(new Set(accounts.map(({ id }) => id))).toEqual(new Set(people.map(({ id }) => id)))
      expect(accounts).toHaveLength(people.length)
      expect(accounts).toContainEqual(account(user, { type: 'staff' }))
      expect(accounts).toContainEqual(account(admin, { type: 'admin' }))
    }
    expect(await objects.get(stranger, 'account')).toEqual({
      ...{ id: stranger.id, username: stranger.email, name: stranger.name, type: 'other' },
    })
    expect(await objects.list(judge, 'accounts')).toEqual([])
    await objects.get(shown, `accounts/${user.id}`, 404)
    const id = await submit(shown, { event_id: eventId })
    expect(await objects.get(admin, `submissions/${id}`)).toMatchObject({ account_id: shown.id })
    await contests.deleteUser(shown)
    const submission = await objects.get(admin, `submissions/${id}`)
    expect(submission).toMatchObject({ team_id: shown.id })
    expect(submission).not.toHaveProperty('account_id')
    expect(await objects.get(admin, `teams/${shown.id}`)).toMatchObject({ name: 'Deleted user' })
    await objects.get(admin, `accounts/${shown.id}`, 404)
  })
})

describe('the submissions of the Contest API (P26)', () => {
  it('show everybody who submitted what and when, and the program to its author, staff and judges', async () => {
    const { eventId, objects, shown } = await contestWithPeople({ scoreboard: 'public' })
    const id = await submit(shown, { event_id: eventId, problem_id: second.id })
    const submission = {
      ...{ id, problem_id: String(second.id), language_id: contests.language.id, team_id: shown.id },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      contest_time: expect.stringMatching(/^1:00:\d\d\.\d{3}$/),
    }
    const href = `contests/${eventId}/submissions/${id}/files`
    const files = [{ href, filename: 'files.zip', mime: 'application/zip' }]
    const url = objects.url(`submissions/${id}/files`)
    for (const caller of [anonymous, stranger]) {
      expect(await objects.list(caller, 'submissions')).toEqual([submission])
      expect((await caller.send('GET', url)).status).toBeGreaterThanOrEqual(400)
    }
    expect(await objects.list(judge, 'submissions')).toEqual([{ ...submission, files }])
    const whole = { ...submission, files, account_id: shown.id }
    for (const caller of [shown, user, admin])
      expect(await objects.list(caller, 'submissions')).toEqual([whole])
    for (const caller of [shown, user, judge]) {
      const { bytes } = await caller.send('GET', url)
      expect(await readZip(bytes)).toEqual({ [`Main.${contests.language.extension}`]: 'print(42)' })
      expect((await caller.send('GET', url)).bytes).toEqual(bytes)
    }
  })

  it('of testers are for staff, judges and themselves; those of removed participants for nobody', async () => {
    const { eventId, objects, tester, removed, remove } = await contestWithPeople()
    const id = await submit(tester, { event_id: eventId })
    await submit(removed, { event_id: eventId })
    await remove()
    for (const caller of [admin, user, tester])
      expect(await objects.list(caller, 'submissions')).toMatchObject([{ id, team_id: tester.id }])
    const [submission] = await objects.list(judge, 'submissions')
    expect(submission).toMatchObject({ id })
    expect(submission).not.toHaveProperty('team_id')
    expect(await objects.list(stranger, 'submissions')).toEqual([])
  })

  it('belong to teams, and have none for a participant without a team', async () => {
    const { eventId, objects, shown, tester } = await contestWithPeople({ teams: true })
    const team = await createTeam('Team', eventId, shown)
    await tester.post(`${team.url}/join`)
    const own = await submit(shown, { event_id: eventId })
    const mates = await submit(tester, { event_id: eventId })
    const alone = await submit(await createParticipant(eventId), { event_id: eventId })
    const teamsOf = async (caller: typeof judge) =>
      Object.fromEntries(
        (await objects.list(caller, 'submissions')).map((one) => [one.id, one.team_id ?? null]),
      )
    expect(await teamsOf(stranger)).toEqual({ [own]: team.id, [alone]: null })
    for (const caller of [judge, user])
      expect(await teamsOf(caller)).toEqual({ [own]: team.id, [mates]: team.id, [alone]: null })
  })

  it('leave out problems that the caller does not see, and others where only participants see results', async () => {
    const { eventId, objects, shown, tester } = await contestWithPeople({ scoreboard: 'participants' })
    const id = await submit(shown, { event_id: eventId })
    const hidden = await submit(shown, { event_id: eventId, problem_id: second.id })
    const eventProblemId = (await contests.eventProblemIds(eventId)).get(second.id)
    await admin.put(`/v1/events/${eventId}/problems/${eventProblemId}`, { hidden: true })
    for (const caller of [shown, tester]) expect(await objects.values(caller, 'submissions')).toEqual([id])
    for (const caller of [judge, admin])
      expect(await objects.values(caller, 'submissions')).toEqual([id, hidden])
    expect(await objects.values(user, 'submissions')).toEqual([id])
    expect(await objects.values(stranger, 'submissions')).toEqual([])
  })
})

describe('the clarifications of the Contest API (P26)', () => {
  const ask = async (eventId: number, person: Person, problem_id?: number): Promise<string> => {
    const body = { question: 'May it be empty?', problem_id }
    return (await person.post(`/v1/events/${eventId}/questions`, body, 201)).id
  }
  const answer = (eventId: number, id: string, isPublic: boolean) =>
    admin.put(`/v1/events/${eventId}/questions/${id}/answer?replace=true`, {
      ...{ answer: 'Yes.', public: isPublic },
    })

  it('are a question and its answer, private to the asker, staff and judges until the answer is public', async () => {
    const fields = { clarifications: 'staff', scoreboard: 'public' }
    const { eventId, objects, shown, tester } = await contestWithPeople(fields)
    const id = await ask(eventId, shown, problem.id)
    const time = expect.stringMatching(/Z$/)
    const contest_time = expect.stringMatching(/^1:00:\d\d\.\d{3}$/)
    const question = {
      ...{ id, from_team_id: shown.id, problem_id: String(problem.id), text: 'May it be empty?' },
      ...{ time, contest_time },
    }
    expect(await objects.list(shown, 'clarifications')).toEqual([question])
    await answer(eventId, id, false)
    const reply = {
      id: expect.stringMatching(/^a[\w-]{22}$/),
      ...{ reply_to_id: id, to_team_ids: [shown.id], problem_id: String(problem.id), text: 'Yes.' },
      ...{ time, contest_time },
    }
    for (const caller of [shown, user, judge, admin])
      expect(await objects.list(caller, 'clarifications')).toEqual([question, reply])
    for (const caller of [stranger, tester, anonymous])
      expect(await objects.list(caller, 'clarifications')).toEqual([])
    await answer(eventId, id, true)
    const { to_team_ids, ...toAll } = reply
    for (const caller of [shown, stranger, tester, judge])
      expect(await objects.list(caller, 'clarifications')).toEqual([question, toAll])
    expect(await objects.list(anonymous, 'clarifications')).toEqual([])
    const [answerId] = (await objects.values(shown, 'clarifications')).slice(-1)
    await objects.get(shown, `clarifications/b${String(answerId).slice(1)}`, 404)
  })

  it('name no team and no problem that the caller does not see, and are then for no team', async () => {
    const { eventId, objects, tester } = await contestWithPeople({ start_time: isoIn(-60) })
    const own = await ask(eventId, tester, second.id)
    const other = await ask(eventId, stranger, (await contests.createProblem()).id)
    const eventProblemId = (await contests.eventProblemIds(eventId)).get(second.id)
    await admin.put(`/v1/events/${eventId}/problems/${eventProblemId}`, { hidden: true })
    const nobodys = { text: 'May it be empty?', to_team_ids: [] }
    for (const caller of [stranger, judge]) {
      const questions = await objects.list(caller, 'clarifications')
      expect(questions).toMatchObject([own, other].map((id) => ({ id, ...nobodys })))
      expect(questions[0]).not.toHaveProperty('from_team_id')
      expect(questions[1]).not.toHaveProperty('problem_id')
    }
    for (const [caller, problem] of [
      [user, {}] as const,
      [admin, { problem_id: String(second.id) }] as const,
    ]) {
      const [question] = await objects.list(caller, 'clarifications')
      expect(question).toEqual({
        ...{ id: own, from_team_id: tester.id, ...problem, text: nobodys.text },
        ...{ time: question.time, contest_time: question.contest_time },
      })
    }
  })

  it('of contests in which all answer name the team of the sender, unless staff or a judge answered; without a team that the caller sees there is none', async () => {
    const { eventId, objects, shown, tester } = await contestWithPeople()
    const url = `/v1/events/${eventId}/questions`
    const people = { shown, tester, stranger, staff: user, admin, judge }
    const ids: Record<string, string> = {}
    for (const [name, person] of Object.entries(people)) {
      ids[name] = await ask(eventId, shown)
      await person.put(`${url}/${ids[name]}/answer`, { answer: name, public: true })
    }
    const answersFor = async (caller: typeof judge) => {
      const all = await objects.list(caller, 'clarifications')
      const answers = all.filter(({ reply_to_id }) => reply_to_id !== undefined)
      return answers.map(({ text, from_team_id, to_team_ids }) => [text, from_team_id, to_team_ids])
    }
    const ofJury = ['staff', 'admin', 'judge'].map((name) => [name, undefined, undefined])
    const ofShown = ['shown', shown.id, undefined]
    for (const caller of [stranger, shown, judge])
      expect(await answersFor(caller)).toEqual([ofShown, ...ofJury])
    for (const caller of [tester, user, admin])
      expect(await answersFor(caller)).toEqual([ofShown, ['tester', tester.id, undefined], ...ofJury])
    // A new role changes no answer, and neither does a new rule.
    await admin.put(`/v1/events/${eventId}`, { staff: [stranger.id], clarifications: 'staff' })
    for (const caller of [shown, judge])
      expect(await answersFor(caller)).toEqual([
        ofShown,
        ...ofJury.map(([name]) => [name, undefined, [shown.id]]),
      ])
    await stranger.put(`${url}/${ids.stranger}/answer?replace=true`, { answer: 'of staff', public: true })
    expect(await answersFor(tester)).toEqual([['of staff', undefined, undefined]])
  })

  it('of teams name the team of the sender', async () => {
    const { eventId, objects, shown, tester } = await contestWithPeople({ teams: true })
    const team = await createTeam('Answering', eventId, shown)
    const id = await ask(eventId, stranger)
    await shown.put(`/v1/events/${eventId}/questions/${id}/answer`, { answer: 'No.' })
    const alone = await ask(eventId, stranger)
    await tester.put(`/v1/events/${eventId}/questions/${alone}/answer`, { answer: 'Never.' })
    for (const caller of [shown, stranger, judge, admin]) {
      const all = await objects.list(caller, 'clarifications')
      expect(all).toMatchObject([
        { id },
        { reply_to_id: id, from_team_id: team.id, text: 'No.' },
        { id: alone },
      ])
    }
  })
})
