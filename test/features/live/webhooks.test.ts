import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { ChangeLog } from '../../../src/changes/change-log.ts'
import { onePool } from '../../../src/db/pools.ts'
import { unprepared } from '../../../src/db/statement.ts'
import { createNotificationReader } from '../../../src/features/live/webhooks/notification-reader.ts'
import { changeWebhook, createWebhook } from '../../../src/features/live/webhooks/sql.ts'
import { Webhooks } from '../../../src/features/live/webhooks/start.ts'
import { ActorDatabase } from '../../../src/http/routing/actor.ts'
import { ListCache } from '../../../src/lists/cache.ts'
import { PATIENT, type Person } from '../../support/app.ts'
import { closeLater } from '../../support/cleanup.ts'
import { isoIn, running } from '../../support/contests.ts'
import { NO_EVENT, NOBODY, UUID } from '../../support/ids.ts'
import { onPostgres } from '../../support/needs.ts'
import { keepLog } from '../../support/queue.ts'
import { until } from '../../support/until.ts'
import * as hooks from '../../support/webhooks.ts'

const WEBHOOKS = '/v1/clics/webhooks'
const judging = await hooks.serviceWithWebhooks({ WEBHOOK_NETWORKS: '10.0.0.0/8' })
const { service, admin, stranger, problem, openContest, untilIds, untilState } = judging
const { createEvent, createParticipant, submit, giveVerdict } = judging
const { openHook } = hooks.hooksOf(judging)
const { numbers, readState, registerHook, startDeliveries, startReceiver } = hooks
const { config, database } = service

const hook = { url: 'https://scoreboard.example.org/hook', token: 'secret-of-the-receiver' }

async function createStaff() {
  const staff = await service.createPerson()
  const eventId = await createEvent({ staff: [staff.id] })
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
    const foreign = String(await createEvent())
    const deleted = await createEvent({ staff: [staff.id] })
    await judging.deleteEvent(deleted)
    const owner = await service.createPerson()
    const own = await createEvent()
    await database.query(unprepared('update events set user_id = $1 where events.id = $2'), [owner.id, own])
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
    for (const [name, values] of Object.entries(faults))
      for (const value of values) {
        const { code } = await staff.post(WEBHOOKS, { ...hook, [name]: value }, 400)
        expect(code).toBe(400)
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

describe('several instances', () => {
  it('deliver each notification once and in order, also while instances stop and start', async () => {
    const { eventId, journal, receiver } = await openHook()
    const instances = [startDeliveries(service, journal), startDeliveries(service, journal)]
    for (const number of numbers(30)) {
      await journal.add(eventId, [number])
      if (Number(number) % 10 === 0) {
        await instances.shift()?.stop()
        instances.push(startDeliveries(service, journal))
      }
    }
    await untilIds(receiver, numbers(30))
    expect(receiver.mostAtOnce()).toBe(1)
  })

  it('leave a webhook to the instance that holds its lease, and take it when a killed one’s lease ends', async () => {
    const { owner, eventId, journal, receiver, id } = await openHook()
    const lease = (length: string) => {
      const change = `lease = gen_random_uuid(), leased_until = now() + interval '${length}'`
      return database.query(unprepared(`update webhooks set ${change} where id = $1`), [id])
    }
    await lease('1 hour')
    const witness = await startReceiver()
    await registerHook(service, owner, witness.url)
    startDeliveries(service, journal)
    await journal.add(eventId, ['1'])
    await untilIds(witness, ['1'])
    expect(receiver.received).toEqual([])
    await lease('0.3 seconds')
    await untilIds(receiver, ['1'])
  })

  it('send again what had no response when an instance stopped', async () => {
    const respond = (response: ServerResponse, count: number) => void (count > 1 && response.end())
    const { eventId, journal, receiver, id } = await openHook(respond)
    const first = startDeliveries(service, journal)
    await journal.add(eventId, ['1'])
    await until(() => expect(receiver.received).toHaveLength(1))
    // Its receiver never responds.
    await first.stop()
    expect(await readState(service, id)).toMatchObject({ failures: 0, is_leased: false })
    startDeliveries(service, journal)
    await untilIds(receiver, ['1', '1'])
    await untilState(id, { has_succeeded: true, last_error: null })
  })
})

const selectWaiting = unprepared(
  `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
)

/** Runs a statement with the old session while a new password is stored but not committed. */
async function duringNewPassword(userId: string, run: (db: ActorDatabase) => Promise<unknown>) {
  const actor = { id: userId, role: 0, sessionVersion: 1 } as const
  let running: Promise<unknown> | undefined
  await database.transaction(async (tx) => {
    const end = unprepared('update users set session_version = session_version + 1 where users.id = $1')
    await tx.query(end, [userId])
    running = run(new ActorDatabase(database, actor)).catch((err: unknown) => err)
    await until(async () => expect(await database.query(selectWaiting)).toHaveLength(1))
  })
  await running
}

// The embedded database has one session: its transactions do not overlap.
describe('a new password (P26)', onPostgres, () => {
  it('deactivates a webhook also if the old session activates it meanwhile', async () => {
    const { owner } = await openContest()
    const id = await registerHook(service, owner, 'https://example.org/')
    await duringNewPassword(owner.id, (db) => db.query(changeWebhook, { webhook_id: id, active: true }))
    expect(await readState(service, id)).toMatchObject({ active: false })
  })

  it('lets the old session register no webhook meanwhile', async () => {
    const { owner, eventId } = await openContest()
    const id = crypto.randomUUID()
    const values = { id, url: 'https://example.org/', token: 'x', endpoints: [], contest_ids: [eventId] }
    await duringNewPassword(owner.id, (db) => db.query(createWebhook, { ...values, position: '', most: 20 }))
    expect(await readState(service, id)).toBeUndefined()
  })
})

/** Delivers as the service does, to receivers on this machine. */
function startService() {
  const logger = keepLog()
  const changes = new ChangeLog({ database, config, logger })
  const pool = onePool(database, PATIENT).background
  const readNotifications = createNotificationReader({
    changes,
    config,
    database: pool,
    cache: new ListCache(),
  })
  const webhooks = new Webhooks({
    ...{ changes, database, logger, readNotifications },
    config: { webhookNetworks: ['127.0.0.0/8'] },
    times: { tickMs: 5, claimMs: 50, renewMs: 100, roundMs: 1 },
  })
  closeLater(async () => {
    await webhooks.stop()
    await changes.stop()
  })
}

it('webhooks of staff get what has changed in a contest, frozen results too, as the endpoints have it (P26)', async () => {
  const owner = await service.createPerson()
  const problems = [{ problem_id: problem.id }]
  const event = await createEvent({ ...running(), problems, staff: [owner.id], freeze_time: isoIn(-1) })
  const receiver = await startReceiver()
  await registerHook(service, owner, receiver.url)
  startService()
  const person = await createParticipant(event)
  const id = await submit(person, { event_id: event })
  await giveVerdict(id, 'ACCEPTED')
  await admin.post(`/v1/events/${event}/announcements`, { announcement: 'Lunch' }, 201)

  // As a client of notifications keeps them.
  const objectsOf = (type: string) => {
    const objects = new Map<string, unknown>()
    const sent = receiver.received.flatMap(({ notifications }) => notifications)
    for (const { id, data } of sent.filter((notification) => notification.type === type)) {
      if (id === null) {
        objects.clear()
        for (const object of data) objects.set(object.id, object)
      } else objects.set(id, data)
    }
    return objects
  }
  const base = `/v1/clics/contests/${event}`
  // The accounts and persons of staff have not changed.
  await until(async () => {
    for (const type of ['teams', 'submissions', 'judgements', 'clarifications', 'awards']) {
      const objects: { id: string }[] = await owner.get(`${base}/${type}`)
      expect(objects.length, type).toBeGreaterThan(0)
      expect(objectsOf(type)).toEqual(new Map(objects.map((object) => [object.id, object])))
    }
  })
  expect(objectsOf('accounts').get(person.id)).toMatchObject({ username: person.email })
  expect(JSON.stringify(receiver.received)).not.toContain(person.token)

  // What a removal hides is gone from the collections that follow.
  await owner.delete(`/v1/events/${event}/participants/${person.id}`, 204)
  await until(() => expect([...objectsOf('submissions'), ...objectsOf('teams')]).toEqual([]))
})
