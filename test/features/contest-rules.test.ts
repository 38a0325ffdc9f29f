import { describe, expect, it } from 'vitest'
import { serviceWithContests } from '../support/contests.ts'
import { NOBODY } from '../support/ids.ts'
import { notFound, refusal } from '../support/refusals.ts'

const contests = await serviceWithContests()
const { admin, user, stranger, createEvent } = contests
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
  it('are stored at creation and are in every view of the event', async () => {
    const id = await createEvent({ ...times, ...rules, languages: [language] })
    expect(await readEvent(id)).toMatchObject(rules)
    expect(await stranger.get(`/v1/public/events/${id}`)).toMatchObject(rules)
    for (const url of ['/v1/events', '/v1/public/events']) {
      const listed = await admin.get(url)
      expect(listed.find((event: { id: number }) => event.id === id)).toMatchObject(rules)
    }
  })

  it('change one by one, and null removes them; events without rules show none', async () => {
    const id = await createEvent({ ...times, ...rules, languages: [language] })
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
  it.each([
    ['a freeze after the end', { freeze_time: '2096-04-01T20:00:01Z' }, late],
    ['enforced languages that are numbers', { enforce_languages: true, languages: [1] }, numbers],
    ['enforced languages without any', { enforce_languages: true }, numbers],
    ['more than a thousand medals', { medals: { gold: 1, silver: 1, bronze: 1001 } }, noMedals],
    ['medals without all kinds', { medals: { gold: 1, silver: 1 } }, noMedals],
    ['an unknown member of the staff', { staff: [user.id, NOBODY] }, notFound('user')],
  ])('refuse %s at creation', async (_, fields, expected) => {
    await admin.post('/v1/events', { title: 'Refused', ...times, ...fields }, expected)
  })

  it('refuse the same in an update, and then change nothing', async () => {
    const id = await createEvent({ ...times, languages: [1], freeze_time: times.end_time })
    const before = await readEvent(id)
    const url = `/v1/events/${id}`
    const title = 'Changed'
    await admin.put(url, { title, end_time: '2096-04-01T19:00:00Z' }, late)
    await admin.put(url, { title, enforce_languages: true }, numbers)
    await admin.put(url, { title, staff: [NOBODY] }, notFound('user'))
    expect(await readEvent(id)).toEqual(before)
  })

  it('lose a freeze that has not begun when the event is ended early', async () => {
    const running = { start_time: '2020-01-01T00:00:00Z', end_time: '2096-01-01T00:00:00Z' }
    const id = await createEvent({ ...running, freeze_time: '2095-01-01T00:00:00Z' })
    expect(await admin.post(`/v1/events/${id}/end`)).not.toHaveProperty('freeze_time')
  })
})
