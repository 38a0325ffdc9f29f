import { describe, expect, it } from 'vitest'
import type { Expected } from '../support/caller.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { expectRefused, type Language, submissionBody } from '../support/judging.ts'
import { invalidField, refusal } from '../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, problem, language, service, submit } = contests
const [, other]: [Language, Language] = await service.anonymous.get('/v1/languages')

const createEvent = (fields: object) =>
  contests.createEvent({ problems: [{ problem_id: problem.id }], ...fields })

it('refuses a language that the contest does not name, and no other one, where it enforces its languages (400)', async () => {
  const languages = [language.id.toUpperCase()]
  const event_id = await createEvent({ languages, enforce_languages: true })
  await submit(user, { event_id })
  const error = `The event does not allow ${other.name}: see its languages`
  await expectRefused(contests, [user, { event_id, language_id: other.id }, refusal(400, '400', error)])
  await submit(user, { language_id: other.id })
  const run = { ...submissionBody(user, problem, other), stdin: '' }
  await user.post('/v1/input_submissions', run, 201)
  await admin.put(`/v1/events/${event_id}`, { enforce_languages: null }, 200)
  await submit(user, { event_id, language_id: other.id })
  for (const enforce_languages of [false, null])
    await submit(user, { event_id: await createEvent({ languages: [1], enforce_languages }) })
})

const GONE = 'A0000000-0000-4000-8000-000000000001'
const mustExist = 'languages must be languages of the service where enforce_languages is true'
const unknown = refusal(400, '400', `${mustExist}: there is no ${GONE} in GET /v1/languages`)

describe('the languages that a contest enforces', () => {
  const change = (id: number, fields: object, expected?: Expected) =>
    admin.put(`/v1/events/${id}`, fields, expected)
  const read = (id: number) => admin.get(`/v1/events/${id}`)
  const enforced = { enforce_languages: true, languages: [language.id] }

  it('must be languages of the service, at the creation and in an update (400)', async () => {
    const event = { title: 'Refused', start_time: isoIn(-1), end_time: isoIn(1) }
    const fields = { enforce_languages: true, languages: [language.id, GONE] }
    await admin.post('/v1/events', { ...event, ...fields }, unknown)
    for (const first of [{}, enforced, { languages: [GONE] }]) {
      const id = await createEvent(first)
      const before = await read(id)
      await change(id, { title: 'Changed', ...fields }, unknown)
      expect(await read(id)).toEqual(before)
    }
    await change(await createEvent({ languages: [GONE] }), { enforce_languages: true }, unknown)
    await change(await createEvent(enforced), { languages: [GONE] }, unknown)
    await createEvent({ languages: [GONE], enforce_languages: false })
  })

  it('change with an update', async () => {
    const id = await createEvent(enforced)
    const languages = [other.id.toUpperCase()]
    expect(await change(id, { languages })).toMatchObject({ languages, enforce_languages: true })
    expect(await read(id)).toMatchObject({ languages })
    await submit(user, { event_id: id, language_id: other.id })
    await expectRefused(contests, [user, { event_id: id }, invalidField('The event does not allow')])
    await change(id, { languages: [1] }, invalidField('languages'))
    await change(id, { languages: [] }, invalidField('languages'))
    expect(await change(id, { languages: null })).toMatchObject({ languages })
    expect(await change(id, { languages: [1], enforce_languages: null })).toMatchObject({ languages: [1] })
  })

  it('are ignored by an update where they are not enforced, unless it has the rule', async () => {
    const id = await createEvent({ languages: [3] })
    expect(await change(id, { languages: [language.id] })).toMatchObject({ languages: [3] })
    expect(await change(id, enforced)).toMatchObject(enforced)
    const plain = await createEvent({ languages: [3] })
    const changed = { languages: [4], enforce_languages: false }
    expect(await change(plain, changed)).toMatchObject({ languages: [4] })
  })

  it('may be retired, and do not refuse later updates', async () => {
    const fields = { name: 'Python', extension: 'py', version: 'retired' }
    const retired = await admin.post('/v1/languages', fields)
    const kept = { enforce_languages: true, languages: [retired.id, language.id] }
    const id = await createEvent(kept)
    await admin.delete(`/v1/languages/${retired.id}`, 204)
    expect(await change(id, { title: 'Renamed', ...kept })).toMatchObject({ title: 'Renamed', ...kept })
    await change(await createEvent({}), kept, invalidField('languages'))
  })
})
