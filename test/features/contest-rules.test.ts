import { describe, expect, it } from 'vitest'
import type { Expected } from '../support/caller.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { NOBODY } from '../support/ids.ts'
import { expectRefused, type Language, submissionBody } from '../support/judging.ts'
import { invalidField, notFound, refusal } from '../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, problem, service, submit, createEvent } = contests
const language = contests.language.id

const times = { start_time: '2096-04-01T18:00:00Z', end_time: '2096-04-01T20:00:00Z' }
const rules = {
  freeze_time: '2096-04-01T19:00:00Z',
  penalty_minutes: 0,
  admission: 'invited',
  scoreboard: 'public',
  clarifications: 'staff',
  enforce_languages: true,
  scoring: 'points',
  medals: { gold: 1, silver: 0, bronze: 1000 },
  staff: [user.id],
}

const readEvent = (id: number) => admin.get(`/v1/events/${id}`)

describe('the rules of a contest (P20)', () => {
  it('are stored at creation, are in every view of the event, and change one by one; null removes them, and events without rules show none', async () => {
    const id = await createEvent({ ...times, ...rules, languages: [language] })
    expect(await readEvent(id)).toMatchObject(rules)
    expect(await stranger.get(`/v1/public/events/${id}`)).toMatchObject(rules)
    for (const url of ['/v1/events', '/v1/public/events']) {
      const listed = await admin.get(url)
      expect(listed.find((event: { id: number }) => event.id === id)).toMatchObject(rules)
    }
    const changed = { admission: 'open', freeze_time: null, staff: null, medals: null, penalty_minutes: 5 }
    const { freeze_time, staff, medals, ...kept } = rules
    const event = await admin.put(`/v1/events/${id}`, changed)
    for (const shown of [event, await readEvent(id)]) {
      expect(shown).toMatchObject({ title: event.title, ...kept, admission: 'open', penalty_minutes: 5 })
      for (const field of ['freeze_time', 'staff', 'medals']) expect(shown).not.toHaveProperty(field)
    }
    const bare = await readEvent(await createEvent(times))
    expect(Object.keys(bare).filter((field) => field in rules)).toEqual([])
  })

  const late = refusal(400, '400', 'freeze_time must not be after end_time')
  const noMedals = refusal(400, '400', expect.stringContaining('medals'))
  const uuids = 'languages must be UUIDs, at least one, where enforce_languages is true'
  const numbers = refusal(400, '400', uuids)
  it('refuse a wrong freeze, languages, medals or staff (400, 404), at creation and in an update, and change nothing', async () => {
    const id = await createEvent({ ...times, languages: [1], freeze_time: times.end_time })
    const before = await readEvent(id)
    for (const [fields, expected] of [
      [{ freeze_time: '2096-04-01T20:00:01Z' }, late],
      [{ freeze_time: times.end_time, end_time: '2096-04-01T19:00:00Z' }, late],
      [{ enforce_languages: true, languages: [1] }, numbers],
      [{ enforce_languages: true }, numbers],
      [{ medals: { gold: 1, silver: 1, bronze: 1001 } }, noMedals],
      [{ medals: { gold: 1, silver: 1 } }, noMedals],
      [{ staff: [user.id, NOBODY] }, notFound('user')],
    ] as const) {
      await admin.post('/v1/events', { title: 'Refused', ...times, ...fields }, expected)
      await admin.put(`/v1/events/${id}`, { title: 'Changed', ...fields }, expected)
    }
    await admin.put(`/v1/events/${id}`, { title: 'Changed', end_time: '2096-04-01T19:00:00Z' }, late)
    expect(await readEvent(id)).toEqual(before)
  })

  it('lose a freeze that has not begun when the event is ended early', async () => {
    const running = { start_time: '2020-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' }
    const id = await createEvent({ ...running, freeze_time: '2095-01-01T00:00:00Z' })
    expect(await admin.post(`/v1/events/${id}/end`)).not.toHaveProperty('freeze_time')
  })
})

const [, other]: [Language, Language] = await service.anonymous.get('/v1/languages')

const createWithProblem = (fields: object) =>
  createEvent({ problems: [{ problem_id: problem.id }], ...fields })

it('refuses a language that the contest does not name, and no other one, where it enforces its languages (400)', async () => {
  const languages = [language.toUpperCase()]
  const event_id = await createWithProblem({ languages, enforce_languages: true })
  await submit(user, { event_id })
  const error = `The event does not allow ${other.name}: see its languages`
  await expectRefused(contests, [user, { event_id, language_id: other.id }, refusal(400, '400', error)])
  await submit(user, { language_id: other.id })
  const run = { ...submissionBody(user, problem, other), stdin: '' }
  await user.post('/v1/input_submissions', run, 201)
  await admin.put(`/v1/events/${event_id}`, { enforce_languages: null }, 200)
  await submit(user, { event_id, language_id: other.id })
  for (const enforce_languages of [false, null])
    await submit(user, { event_id: await createWithProblem({ languages: [1], enforce_languages }) })
})

const GONE = 'A0000000-0000-4000-8000-000000000001'
const mustExist = 'languages must be languages of the service where enforce_languages is true'
const unknown = refusal(400, '400', `${mustExist}: there is no ${GONE} in GET /v1/languages`)

describe('the languages that a contest enforces', () => {
  const change = (id: number, fields: object, expected?: Expected) =>
    admin.put(`/v1/events/${id}`, fields, expected)
  const read = (id: number) => admin.get(`/v1/events/${id}`)
  const enforced = { enforce_languages: true, languages: [language] }

  it('must be languages of the service, at the creation and in an update (400), but may be retired later', async () => {
    const event = { title: 'Refused', start_time: isoIn(-1), end_time: isoIn(1) }
    const fields = { enforce_languages: true, languages: [language, GONE] }
    await admin.post('/v1/events', { ...event, ...fields }, unknown)
    for (const first of [{}, enforced, { languages: [GONE] }]) {
      const id = await createWithProblem(first)
      const before = await read(id)
      await change(id, { title: 'Changed', ...fields }, unknown)
      expect(await read(id)).toEqual(before)
    }
    await change(await createWithProblem({ languages: [GONE] }), { enforce_languages: true }, unknown)
    await change(await createWithProblem(enforced), { languages: [GONE] }, unknown)
    await createWithProblem({ languages: [GONE], enforce_languages: false })
    const python = { name: 'Python', extension: 'py', version: 'retired' }
    const retired = await admin.post('/v1/languages', python)
    const kept = { enforce_languages: true, languages: [retired.id, language] }
    const one = await createWithProblem(kept)
    await admin.delete(`/v1/languages/${retired.id}`, 204)
    expect(await change(one, { title: 'Renamed', ...kept })).toMatchObject({ title: 'Renamed', ...kept })
    await change(await createWithProblem({}), kept, invalidField('languages'))
  })

  it('change with an update; without the rule they are ignored', async () => {
    const id = await createWithProblem(enforced)
    const languages = [other.id.toUpperCase()]
    expect(await change(id, { languages })).toMatchObject({ languages, enforce_languages: true })
    expect(await read(id)).toMatchObject({ languages })
    await submit(user, { event_id: id, language_id: other.id })
    await expectRefused(contests, [user, { event_id: id }, invalidField('The event does not allow')])
    await change(id, { languages: [1] }, invalidField('languages'))
    await change(id, { languages: [] }, invalidField('languages'))
    expect(await change(id, { languages: null })).toMatchObject({ languages })
    expect(await change(id, { languages: [1], enforce_languages: null })).toMatchObject({ languages: [1] })
    const free = await createWithProblem({ languages: [3] })
    expect(await change(free, { languages: [language] })).toMatchObject({ languages: [3] })
    expect(await change(free, enforced)).toMatchObject(enforced)
    const plain = await createWithProblem({ languages: [3] })
    const changed = { languages: [4], enforce_languages: false }
    expect(await change(plain, changed)).toMatchObject({ languages: [4] })
  })
})
