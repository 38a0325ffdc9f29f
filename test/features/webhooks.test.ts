import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import type { Person } from '../support/app.ts'
import { serviceWithContests } from '../support/contests.ts'
import { NO_EVENT, NOBODY, UUID } from '../support/ids.ts'
import { registerHook } from '../support/webhooks.ts'

const WEBHOOKS = '/v1/clics/webhooks'
const judging = await serviceWithContests({ WEBHOOK_NETWORKS: '10.0.0.0/8' })
const { service, admin, stranger } = judging
const { database } = service

const hook = { url: 'https://scoreboard.example.org/hook', token: 'secret-of-the-receiver' }

/** A new user who is staff of a contest. */
async function createStaff() {
  const staff = await service.createPerson()
  const eventId = await judging.createEvent({ staff: [staff.id] })
  return { staff, eventId, id: String(eventId) }
}

const countHooks = async ({ id }: Person) =>
  (await database.query(unprepared('select from webhooks where user_id = $1'), [id])).length

describe('a webhook', () => {
  it('is registered, read, listed and deleted by its owner, and never shows its token', async () => {
    const { staff, id: contest } = await createStaff()
    const sent = { ...hook, endpoints: ['submissions', 'judgements'], contest_ids: [contest, contest] }
    const response = await staff.send('POST', WEBHOOKS, sent)
    expect(response.status).toBe(201)
    const { id } = response.body
    expect(id).toMatch(UUID)
    expect(response.headers.location).toBe(`${WEBHOOKS}/${id}`)
    const expected = { id, url: hook.url, endpoints: sent.endpoints, contest_ids: [contest], active: true }
    expect(response.body).toEqual(expected)
    const all = await staff.post(WEBHOOKS, hook, 201)
    expect(all).toMatchObject({ endpoints: [], contest_ids: [] })
    expect(await staff.get(WEBHOOKS)).toEqual([expected, all])
    expect(await staff.get(`${WEBHOOKS}/${id}`)).toEqual(expected)
    await staff.delete(`${WEBHOOKS}/${id}`, 204)
    await staff.get(`${WEBHOOKS}/${id}`, 404)
    await staff.delete(`${WEBHOOKS}/${id}`, 404)
    expect(await staff.get(WEBHOOKS)).toEqual([all])
    expect(service.log.join()).not.toContain(hook.token)
  })

  it('is only its owner’s: others, also admins and judges, neither see nor change it', async () => {
    const { staff } = await createStaff()
    const { id } = await staff.post(WEBHOOKS, hook, 201)
    for (const other of [admin, stranger, service.judge]) {
      expect(await other.get(WEBHOOKS)).toEqual([])
      await other.get(`${WEBHOOKS}/${id}`, 404)
      await other.patch(`${WEBHOOKS}/${id}`, { active: false }, 404)
      await other.delete(`${WEBHOOKS}/${id}`, 404)
    }
    expect(await staff.get(`${WEBHOOKS}/${id}`)).toMatchObject({ active: true })
    await service.anonymous.get(WEBHOOKS, 401)
    await staff.get(`${WEBHOOKS}/${NOBODY}`, 404)
  })

  it('shows its last success and error, and is deactivated and activated again', async () => {
    const { staff } = await createStaff()
    const id = await registerHook(service, staff, hook.url)
    const fail = `update webhooks
      set active = false, failures = 9, last_error = 'Broken.', last_error_at = '2026-01-01T00:00:02.5Z',
          failing_since = '2026-01-01T00:00:01Z', last_success_at = '2026-01-01T00:00:00Z'
      where webhooks.id = $1`
    await database.query(unprepared(fail), [id])
    const failed = await staff.get(`${WEBHOOKS}/${id}`)
    expect(failed).toMatchObject({
      ...{ active: false, last_error: 'Broken.', last_error_time: '2026-01-01T00:00:02.500Z' },
      ...{ failing_since: '2026-01-01T00:00:01.000Z', last_success: '2026-01-01T00:00:00.000Z' },
    })
    const { failing_since: _, ...rest } = failed
    expect(await staff.patch(`${WEBHOOKS}/${id}`, { active: true }, 200)).toEqual({ ...rest, active: true })
    expect(await staff.patch(`${WEBHOOKS}/${id}`, { active: false }, 200)).toEqual(rest)
  })
})

describe('a registration', () => {
  it('is for staff, and only for contests that they manage', async () => {
    const { staff, id } = await createStaff()
    const foreign = String(await judging.createEvent())
    const deleted = await judging.createEvent({ staff: [staff.id] })
    await judging.deleteEvent(deleted)
    const owner = await service.createPerson()
    const own = await judging.createEvent()
    const setOwner = unprepared('update events set user_id = $1 where events.id = $2')
    await database.query(setOwner, [owner.id, own])
    await owner.post(WEBHOOKS, { ...hook, contest_ids: [String(own)] }, 201)
    for (const contest of [foreign, String(deleted), String(NO_EVENT), '99999999999', 'finals', `0${id}`])
      await staff.post(WEBHOOKS, { ...hook, contest_ids: [id, contest] }, 403)
    await admin.post(WEBHOOKS, { ...hook, contest_ids: [id, foreign] }, 201)
    await admin.post(WEBHOOKS, { ...hook, contest_ids: [id, String(deleted)] }, 403)
    for (const other of [stranger, service.judge])
      for (const contest_ids of [[], [id]]) await other.post(WEBHOOKS, { ...hook, contest_ids }, 403)
    expect(await countHooks(stranger)).toBe(0)
  })

  it('needs a URL that webhooks may have, a token and known types', async () => {
    const { staff } = await createStaff()
    const faults = {
      url: [undefined, 'http://8.8.8.8/', 'https://127.0.0.1/', `https://example.org/${'x'.repeat(2000)}`],
      token: [undefined, '', 'two words', 'line\nbreak', 'ä', 'x'.repeat(1001)],
      endpoints: [['unknown'], 'teams', ['teams', 'teams']],
      contest_ids: [[1], '1', [''], Array.from({ length: 101 }, (_, i) => `${i}`)],
    }
    for (const [name, values] of Object.entries(faults)) {
      for (const value of values) {
        const { code } = await staff.post(WEBHOOKS, { ...hook, [name]: value }, 400)
        expect(code).toBe(400)
      }
    }
    await staff.post(WEBHOOKS, { ...hook, url: 'http://10.0.0.1:8080/' }, 201)
    expect(await countHooks(staff)).toBe(1)
  })

  it('is refused for more than 20 webhooks, also at the same time', async () => {
    const { staff } = await createStaff()
    const responses = await Promise.all(Array.from({ length: 25 }, () => staff.send('POST', WEBHOOKS, hook)))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(5)
    const [{ id }] = await staff.get(WEBHOOKS)
    await staff.delete(`${WEBHOOKS}/${id}`, 204)
    await staff.post(WEBHOOKS, hook, 201)
    expect(await countHooks(staff)).toBe(20)
  })
})
