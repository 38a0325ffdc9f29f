import { describe, expect, it } from 'vitest'
import type { Person } from '../../support/app.ts'
import type { Caller } from '../../support/caller.ts'
import { contestUrl, refused, registerWithPassword } from '../../support/contest-api.ts'
import { createInvitedContest, isoIn, over, scheduled, serviceWithContests } from '../../support/contests.ts'
import { NOBODY } from '../../support/ids.ts'

const contests = await serviceWithContests({ QUESTION_LIMIT_CHARACTERS: '100' })
const { service, admin, user: owner, stranger, problem, createEvent } = contests
const elsewhere = await contests.createProblem({ public: false })

const urlOf = (id: number) => `${contestUrl(id)}/clarifications`

/** A contest of the owner with two participants; by default only staff answers. */
async function openContest(fields: object = {}) {
  const problems = [{ problem_id: problem.id }]
  const id = await createEvent({ user_id: owner.id, clarifications: 'staff', problems, ...fields })
  const [asker, other] = [await contests.createParticipant(id), await contests.createParticipant(id)]
  const url = urlOf(id)
  const ask = async (more: object = {}): Promise<string> =>
    (await asker.post(url, { text: 'May it be negative?', ...more }, 201)).id
  const idsOf = async (by: Caller): Promise<string[]> =>
    (await by.get(url)).map((message: { id: string }) => message.id)
  return { id, url, asker, other, ask, idsOf, questions: `/v1/events/${id}/questions` }
}

const typesOf = async (person: Person, { id }: { id: number }): Promise<string[]> => {
  const notes: { event_id: number; notification_type: string }[] = await person.get('/v1/user/notifications')
  return notes.filter(({ event_id }) => event_id === id).map(({ notification_type }) => notification_type)
}

describe('a question over the Contest API (D37, P26)', () => {
  it('is a question like ours, and the response is the object that GET shows', async () => {
    const contest = await openContest()
    const { asker, url } = contest
    const sent = { text: ' Why? ', problem_id: `${problem.id}`, from_team_id: asker.id, to_team_ids: null }
    const response = await asker.send('POST', url, { ...sent, id: null, time: null, reply_to_id: null })
    expect(response.status, response.text).toBe(201)
    const { id } = response.body
    expect(response.headers.location).toBe(`${url}/${id}`)
    expect(response.body).toEqual(await asker.get(`${url}/${id}`))
    expect(response.body).toEqual({
      ...{ id, from_team_id: asker.id, problem_id: `${problem.id}`, text: ' Why? ' },
      ...{ time: expect.any(String), contest_time: expect.stringMatching(/^1:00:/) },
    })
    const own = { id, user_id: asker.id, problem_id: problem.id, question: ' Why? ', is_answered: false }
    expect(await asker.get(contest.questions)).toMatchObject([own])
    expect(await typesOf(owner, contest)).toEqual(['question'])
    expect(await contest.idsOf(contest.other)).toEqual([])
  })

  it('names neither recipients nor an id, a time or a question (400, 403), and a problem that the asker sees, or the contest shows (404)', async () => {
    const { asker, url, ask, idsOf } = await openContest()
    const question = await ask()
    const text = 'Why?'
    for (const [name, value] of [
      ['time', isoIn(0)],
      ['contest_time', '0:05:00.000'],
      ['to_team_ids', [asker.id]],
      ['to_group_ids', ['participants']],
    ] as const)
      await asker.post(url, { text, [name]: value }, refused(400, `${name} must be absent in a question`))
    await asker.post(url, { text, to_team_ids: [] }, refused(400))
    await asker.post(url, { text, id: 'x' }, refused(400, 'id must be absent: the service sets it'))
    await asker.post(url, { text, reply_to_id: question }, refused(403))
    for (const from_team_id of [owner.id, '', 'x'])
      await asker.post(url, { text, from_team_id }, refused(403))
    for (const wrong of [undefined, '', ' ', 'x'.repeat(101), 'a\0', 1])
      await asker.post(url, { text: wrong }, refused(400, expect.stringMatching(/^text/)))
    expect(await idsOf(asker)).toEqual([question])
    for (const problem_id of [`${elsewhere.id}`, '2000000', 'x', '999999999999'])
      await asker.post(url, { text: 'Why?', problem_id }, refused(404, 'There is no such problem'))
    await asker.post(url, { text: 'Why?', problem_id: problem.id }, refused(400))
  })

  it('is from the caller’s team, and of a user without a team from none', async () => {
    const id = await createEvent({ teams: true })
    const { team_id } = await owner.post(`/v1/events/${id}/teams`, { name: 'Owls' }, 201)
    for (const from of [{}, { from_team_id: team_id }]) {
      const asked = await owner.post(urlOf(id), { text: 'Why?', ...from }, 201)
      expect(asked).toMatchObject({ from_team_id: team_id })
    }
    const { from_team_id, to_team_ids } = await stranger.post(urlOf(id), { text: 'Why?' }, 201)
    expect([from_team_id, to_team_ids]).toEqual([undefined, []])
    for (const from of [team_id, stranger.id])
      await stranger.post(urlOf(id), { text: 'Why?', from_team_id: from }, refused(403))
  })

  it('is possible before the start and after the end, but not for outsiders of an invited contest (404)', async () => {
    for (const times of [scheduled(), over()]) {
      const { asker, url } = await openContest(times)
      const { contest_time } = await asker.post(url, { text: 'Why?' }, 201)
      expect(contest_time).toMatch(times.start_time > isoIn(0) ? /^-0:59:|^-1:00:/ : /^2:00:/)
    }
    const { id, outsider, insider } = await createInvitedContest(contests, { scoreboard: 'public' })
    await outsider.post(urlOf(id), { text: 'Why?' }, refused(404))
    await insider.post(urlOf(id), { text: 'Why?' }, 201)
    await insider.post(urlOf(2_000_000_000), { text: 'Why?' }, refused(404))
  })

  it('is refused for judges (403), and accepted with HTTP Basic', async () => {
    const { url } = await openContest({ scoreboard: 'public' })
    await service.judge.post(url, { text: 'Why?' }, refused(403))
    await service.as(await registerWithPassword(contests, 'asker')).post(url, { text: 'Why?' }, 201)
  })
})

describe('an answer over the Contest API (P20, P26)', () => {
  it('without recipients is for everybody, as each one in a contest with open clarifications (P20); the response is the object that GET shows', async () => {
    const contest = await openContest()
    const { asker, other, url } = contest
    const about = { problem_id: `${problem.id}` }
    const reply_to_id = await contest.ask(about)
    const sent = { text: 'No.', reply_to_id, ...about }
    const response = await owner.send('POST', url, { ...sent, time: isoIn(0) })
    expect(response.status, response.text).toBe(201)
    const { id } = response.body
    expect(response.headers.location).toBe(`${url}/${id}`)
    expect(response.body).toMatchObject(sent)
    expect(response.body).not.toHaveProperty('to_team_ids')
    for (const caller of [owner, asker, other, stranger]) {
      expect(await caller.get(`${url}/${id}`)).toEqual(response.body)
      expect(await contest.idsOf(caller)).toEqual([reply_to_id, id])
    }
    expect(await typesOf(other, contest)).toEqual(['answer'])
    const own = { answer: 'No.', answered_by: owner.id, is_public: true }
    expect(await owner.get(contest.questions)).toMatchObject([own])
    const open = await openContest({ clarifications: 'any' })
    const question = await open.ask()
    const toAsker = { text: 'No.', reply_to_id: question, to_team_ids: [open.asker.id] }
    const { id: answer, to_team_ids } = await owner.post(open.url, toAsker, 201)
    expect(to_team_ids).toBe(undefined)
    expect(await open.idsOf(open.other)).toEqual([question, answer])
  })

  it('for the team that asked is private, and may become public and private again; for other recipients it is refused (400)', async () => {
    const contest = await openContest()
    const { asker, other, url } = contest
    const reply_to_id = await contest.ask()
    const toAsker = { text: 'No.', reply_to_id, to_team_ids: [asker.id] }
    const { id, to_team_ids } = await owner.post(url, toAsker, 201)
    expect(to_team_ids).toEqual([asker.id])
    expect([await contest.idsOf(asker), await contest.idsOf(other)]).toEqual([[reply_to_id, id], []])
    const never = { text: 'Never.', reply_to_id, to_team_ids: null }
    const answered = refused(409, 'The question is answered already: replace its answer with replace=true')
    await owner.post(url, never, answered)
    expect(await owner.post(url, toAsker, 201)).toMatchObject({ id, text: 'No.' })
    const shown = await owner.post(`${url}?replace=true`, never, 201)
    expect([shown.id, shown.text, shown.to_team_ids]).toEqual([id, 'Never.', undefined])
    expect(await contest.idsOf(other)).toEqual([reply_to_id, id])
    await owner.post(`${url}?replace=true`, { ...toAsker, to_group_ids: [] }, 201)
    expect(await contest.idsOf(other)).toEqual([])
    const group = { to_group_ids: ['participants'] }
    const teams = [[], [other.id], [asker.id, other.id], 'x', ['']].map((to_team_ids) => ({ to_team_ids }))
    for (const to of [...teams, group, { to_group_ids: [] }, { to_team_ids: [asker.id], ...group }])
      await owner.post(url, { text: 'No.', reply_to_id, ...to }, refused(400))
    expect(await owner.get(url)).toHaveLength(2)
  })

  it('is for the whole team of the asker in a contest with teams, and for none without a team', async () => {
    const { id, url, asker } = await openContest({ teams: true })
    const { team_id } = await asker.post(`/v1/events/${id}/teams`, { name: 'Owls' }, 201)
    const { id: ofTeam } = await asker.post(url, { text: 'Why?' }, 201)
    const { id: ofNone } = await stranger.post(url, { text: 'Why?' }, 201)
    const answer = (reply_to_id: string, to_team_ids: string[], expected: Parameters<Caller['post']>[2]) =>
      owner.post(url, { text: 'So.', reply_to_id, to_team_ids }, expected)
    await answer(ofTeam, [asker.id], refused(400))
    expect((await answer(ofTeam, [team_id], 201)).to_team_ids).toEqual([team_id])
    await answer(ofNone, [team_id], refused(400))
    expect((await answer(ofNone, [], 201)).to_team_ids).toEqual([])
    expect((await stranger.get(url)).length).toBe(2)
  })

  it('answers a question of this contest (404), not an answer or an announcement (400)', async () => {
    const { url, ask } = await openContest()
    const other = await (await openContest()).ask()
    const { id: announced } = await owner.post(url, { text: 'Hello' }, 201)
    const question = await ask()
    const { id: answer } = await owner.post(url, { text: 'No.', reply_to_id: question }, 201)
    for (const reply_to_id of [other, NOBODY, 'x', ''])
      await owner.post(url, { text: 'No.', reply_to_id }, refused(404))
    for (const reply_to_id of [announced, answer])
      await owner.post(url, { text: 'X', reply_to_id }, refused(400))
    await owner.post(url, { text: 'No.', reply_to_id: question, problem_id: `${problem.id}` }, refused(400))
    expect(await owner.get(`${url}/${announced}`)).toMatchObject({ text: 'Hello' })
  })

  it('is only for staff, also where our own route lets everybody answer (403)', async () => {
    for (const clarifications of ['any', 'staff']) {
      const { url, other, ask, questions } = await openContest({ clarifications })
      const reply_to_id = await ask()
      for (const caller of [other, service.judge])
        await caller.post(url, { text: 'No.', reply_to_id }, refused(403))
      expect(await owner.get(questions)).toMatchObject([{ is_answered: false }])
      await admin.post(url, { text: 'No.', reply_to_id }, 201)
    }
  })
})

describe('an announcement over the Contest API (P20, P26)', () => {
  it('is a message of staff to everybody, and has no recipients of its own, and the present time (400)', async () => {
    const contest = await openContest()
    const { asker, url } = contest
    const sent = { text: 'Ten more minutes.', problem_id: `${problem.id}` }
    const announced = await owner.post(url, { ...sent, time: isoIn(1), contest_time: '1:00:00' }, 201)
    expect(announced).toMatchObject(sent)
    for (const name of ['from_team_id', 'to_team_ids', 'reply_to_id'])
      expect(announced).not.toHaveProperty(name)
    for (const caller of [asker, stranger])
      expect(await caller.get(`${url}/${announced.id}`)).toEqual(announced)
    expect(await typesOf(contest.other, contest)).toEqual(['answer'])
    expect(await owner.get(contest.questions)).toMatchObject([{ question: 'Announcement', is_public: true }])
    const text = 'Hello'
    const unsupported = refused(400, expect.stringMatching(/not supported$/))
    for (const to of [{ to_team_ids: [asker.id] }, { to_group_ids: ['participants'] }, { to_team_ids: [] }])
      await owner.post(url, { text, ...to }, unsupported)
    const otherTime = refused(400, expect.stringMatching(/^time must be/))
    for (const minutes of [-90, 90]) await owner.post(url, { text, time: isoIn(minutes) }, otherTime)
    await owner.post(url, { text, id: 'x' }, refused(400))
    expect(await owner.get(url)).toHaveLength(1)
  })

  it('becomes a question if staff that takes part names its own team', async () => {
    const { id, url, idsOf, other } = await openContest()
    const sent = { text: 'Why?', from_team_id: owner.id }
    await owner.post(url, sent, refused(403))
    await contests.register(owner, id)
    expect(await owner.post(url, sent, 201)).toMatchObject({ from_team_id: owner.id })
    await owner.post(url, { ...sent, time: isoIn(0) }, refused(400))
    expect(await idsOf(other)).toEqual([])
  })
})
