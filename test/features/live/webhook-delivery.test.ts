import type { ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { unprepared } from '../../../src/db/statement.ts'
import { gate } from '../../support/queue.ts'
import { until } from '../../support/until.ts'
import * as hooks from '../../support/webhooks.ts'

const judging = await hooks.serviceWithWebhooks()
const { service, admin, openContest, untilIds, untilState } = judging
const { idsOf, numbers, readState, registerHook, startDeliveries, startReceiver } = hooks
const { openHook, deliverFirst } = hooks.hooksOf(judging)

describe('a webhook', () => {
  test('gets what has changed since it was registered, in order, with its token and no other secret', async () => {
    const { eventId, journal, receiver, id } = await openHook(undefined, '?a=b')
    startDeliveries(service, journal)
    for (const number of numbers(10)) await journal.add(eventId, [number])
    await untilIds(receiver, numbers(10))
    expect(receiver.mostAtOnce()).toBe(1)
    const [first] = receiver.received
    expect(first).toMatchObject({ contestId: String(eventId), path: '/hook?a=b' })
    expect(first?.notifications[0]).toEqual({ type: 'teams', id: '1', data: null })
    expect(first?.headers).toEqual({
      ...{ host: `127.0.0.1:${receiver.port}`, connection: 'close', 'user-agent': 'judge-data-layer' },
      ...{ 'content-type': 'application/json', 'content-length': String(first?.bytes) },
      'webhook-token': 'secret-of-the-receiver',
    })
    await untilState(id, { has_succeeded: true, is_failing: false, last_error: null })
  })

  test('gets only the types and contests that it chose, and only contests that its owner manages', async () => {
    const { owner, eventId, journal } = await openContest()
    const other = await judging.createEvent({ staff: [owner.id] })
    const foreign = await judging.createEvent()
    const [chosen, all] = [await startReceiver(), await startReceiver()]
    await registerHook(service, owner, chosen.url, { endpoints: ['state'], contestIds: [eventId] })
    await registerHook(service, owner, all.url)
    startDeliveries(service, journal)
    for (const event of [foreign, other, eventId]) {
      await journal.add(event, [`${event}`])
      await journal.add(event, [`${event}-state`], 'state')
    }
    await untilIds(chosen, [`${eventId}-state`])
    await until(() => expect(idsOf(all)).toHaveLength(4))
    const contests = new Set(all.received.map(({ contestId }) => contestId))
    expect(contests).toEqual(new Set([String(other), String(eventId)]))
  })

  test('gets at most 500 notifications or 1 MiB in a request; none twice if a later request fails', async () => {
    const { eventId, journal, receiver } = await openHook((response, count) => {
      response.writeHead(count === 2 || count === 4 ? 503 : 200).end()
    })
    await journal.add(eventId, numbers(1100))
    await journal.add(eventId, ['large'], 'teams', 'x'.repeat(3_000_000))
    await journal.add(eventId, numbers(3, 2000), 'teams', 'x'.repeat(500_000))
    startDeliveries(service, journal)
    await until(() => expect(receiver.received).toHaveLength(8))
    const sizes = receiver.received.map(({ notifications }) => notifications.length)
    expect(sizes).toEqual([500, 500, 500, 100, 100, 1, 2, 1])
    for (const { bytes, notifications } of receiver.received)
      if (notifications.length > 1) expect(bytes).toBeLessThanOrEqual(1024 * 1024)
    const succeeded = receiver.received.filter((_, place) => place !== 1 && place !== 3)
    const ids = succeeded.flatMap(({ notifications }) => notifications.map(({ id }) => id))
    expect(ids).toEqual([...numbers(1100), 'large', ...numbers(3, 2000)])
  })

  test('is tried again with growing pauses until it succeeds, and loses nothing', async () => {
    const { eventId, journal, receiver, id } = await openHook((response, count) => {
      response.writeHead(count <= 3 ? 500 : 204).end()
    })
    const pauseMs = vi.fn((failures: number) => failures)
    startDeliveries(service, journal, { pauseMs })
    await journal.add(eventId, ['1'])
    await until(() => expect(receiver.received.length).toBeGreaterThanOrEqual(4))
    await untilState(id, { failures: 0, is_failing: false, last_error: 'The response had the status 500.' })
    expect(pauseMs.mock.calls).toEqual([[1], [2], [3]])
    expect(idsOf(receiver)).toEqual(['1', '1', '1', '1'])
    await journal.add(eventId, ['2'])
    await untilIds(receiver, ['1', '1', '1', '1', '2'])
  })

  test('gets one request at a time, also if it is activated again during one', async () => {
    const released = gate()
    const { owner, eventId, journal, receiver, id } = await openHook(async (response) => {
      await released.passed
      response.end()
    })
    const deliveries = startDeliveries(service, journal)
    await journal.add(eventId, ['1'])
    await until(() => expect(receiver.received).toHaveLength(1))
    await owner.patch(`/v1/clics/webhooks/${id}`, { active: true }, 200)
    deliveries.wake()
    await journal.add(eventId, ['2'])
    // Other webhooks get what has changed meanwhile.
    const witness = await startReceiver()
    await registerHook(service, owner, witness.url)
    deliveries.wake()
    await journal.add(eventId, ['3'])
    await until(() => expect(idsOf(witness)).toContain('3'))
    expect(receiver.mostAtOnce()).toBe(1)
    released.open()
    await untilIds(receiver, ['1', '2', '3'])
    expect(receiver.mostAtOnce()).toBe(1)
  })

  test('is deactivated after an hour of failures, and goes on where it stopped once it is activated', async () => {
    let status = 500
    const respond = (response: ServerResponse) => void response.writeHead(status).end()
    const { eventId, journal, receiver, id } = await openHook(respond)
    const update = (change: string) =>
      service.database.query(unprepared(`update webhooks set ${change} where webhooks.id = $1`), [id])
    await update(`failing_since = now() - interval '59 minutes'`)
    startDeliveries(service, journal)
    await journal.add(eventId, ['1'])
    await until(() => expect(receiver.received.length).toBeGreaterThan(3))
    expect(await readState(service, id)).toMatchObject({ active: true, is_failing: true })
    await update(`failing_since = now() - interval '61 minutes'`)
    await untilState(id, { active: false, last_error: 'The response had the status 500.' })
    const { length } = receiver.received
    status = 200
    await journal.add(eventId, ['2'])
    await update('active = true, failing_since = null')
    await until(() => expect(idsOf(receiver).slice(length)).toEqual(['1', '2']))
  })

  test('gets whole collections if its position is too old', async () => {
    const { eventId, journal, receiver } = await openHook()
    journal.hasForgotten = true
    startDeliveries(service, journal)
    await journal.add(eventId, ['1'])
    await until(() => expect(receiver.received).not.toEqual([]))
    expect(receiver.received[0]?.notifications).toEqual([{ type: 'teams', id: null, data: [{ id: 'all' }] }])
  })

  test('is asked for changes once when a contest freezes by itself', async () => {
    const hook = await openHook()
    const { eventId, journal, receiver } = hook
    await deliverFirst(hook)
    const { reads } = journal
    // Without a row in the change log, as time does.
    await service.database.transaction((tx) =>
      tx.execute(`set local session_replication_role = replica;
        update events set freeze_time = now() + interval '0.5 seconds' where id = ${eventId}`),
    )
    await until(() => expect(journal.reads).toBeGreaterThan(reads))
    await journal.add(eventId, ['2'])
    await untilIds(receiver, ['1', '2'])
    expect(journal.reads).toBe(reads + 2)
  })
})

describe('a slow receiver', () => {
  test('has two requests of its owner at most, and does not delay the webhooks of others', async () => {
    const { owner, eventId, journal } = await openContest()
    const other = await openContest()
    const silent = await startReceiver(() => {})
    for (const _ of numbers(18)) await registerHook(service, owner, silent.url)
    const receiver = await startReceiver()
    await registerHook(service, other.owner, receiver.url)
    startDeliveries(service, journal, { times: { drainMs: 1 } })
    await journal.add(eventId, ['slow'])
    await until(() => expect(silent.mostAtOnce()).toBe(2))
    await journal.add(other.eventId, ['1'])
    await untilIds(receiver, ['1'])
    expect(silent.mostAtOnce()).toBe(2)
  })

  test('gives the others their turn between its requests, and gets everything once', async () => {
    const released = gate()
    const respondLater = async (response: ServerResponse, count: number) => {
      if (count > 1) await released.passed
      response.end()
    }
    const { owner, eventId, journal, receiver } = await openHook(respondLater)
    const long = [receiver, await startReceiver(respondLater)]
    const short = await startReceiver((response) => {
      response.end()
      released.open()
    })
    await registerHook(service, owner, `${long[1]?.url}`)
    await registerHook(service, owner, short.url, { endpoints: ['state'] })
    await journal.add(eventId, numbers(1100))
    await journal.add(eventId, ['last'], 'state')
    startDeliveries(service, journal, { times: { turnMs: 0 } })
    await untilIds(short, ['last'])
    for (const each of long) await untilIds(each, [...numbers(1100), 'last'])
  })
})

describe('the right to deliver', () => {
  test('ends when the owner loses the staff, and begins again with it', async () => {
    const hook = await openHook()
    const { owner, eventId, journal, receiver } = hook
    await deliverFirst(hook)
    await admin.put(`/v1/events/${eventId}`, { staff: [] })
    const witness = await judging.createEvent({ staff: [owner.id] })
    await journal.add(eventId, ['2'])
    await journal.add(witness, ['witness'])
    await untilIds(receiver, ['1', 'witness'])
    await admin.put(`/v1/events/${eventId}`, { staff: [owner.id] })
    await untilIds(receiver, ['1', 'witness', '2'])
  })

  test('is checked again right before a request that is repeated', async () => {
    const respond = (response: ServerResponse) => void response.writeHead(500).end()
    const { owner, eventId, journal, receiver, id } = await openHook(respond)
    startDeliveries(service, journal)
    await journal.add(eventId, ['1'])
    await until(() => expect(receiver.received.length).toBeGreaterThan(1))
    await admin.put(`/v1/events/${eventId}`, { staff: [] })
    // The round in progress may have passed the check.
    const { length } = receiver.received
    const failures = (await readState(service, id))?.failures
    await journal.add(await judging.createEvent({ staff: [owner.id] }), ['other'])
    await until(() => expect(idsOf(receiver)).toContain('other'))
    expect(failures).toBeGreaterThan(0)
    expect(idsOf(receiver).slice(length + 1)).not.toContain('1')
  })

  test('ends with a new password of the owner until the webhook is activated again', async () => {
    const hook = await openHook()
    const { owner, eventId, journal, receiver, id } = hook
    const deliveries = await deliverFirst(hook, { times: { leaseMs: 1000 } })
    await admin.put(`/v1/users/${owner.id}/password`, { password: 'another password' })
    await untilState(id, { active: false, last_error: expect.stringContaining('new password') })
    await journal.add(eventId, ['2'])
    const token = await service.tokens.issueUserToken({ id: owner.id, isAdmin: false, sessionVersion: 2 })
    await service.as(token).patch(`/v1/clics/webhooks/${id}`, { active: true }, 200)
    deliveries.wake()
    await untilIds(receiver, ['1', '2'])
  })

  test('ends with the account of the owner: the webhook is deleted', async () => {
    const hook = await openHook()
    const { owner, receiver, id } = hook
    await deliverFirst(hook)
    await judging.deleteUser(owner)
    await until(async () => expect(await readState(service, id)).toBeUndefined())
    expect(idsOf(receiver)).toEqual(['1'])
  })

  test('of an admin is for all contests, until the role is lost', async () => {
    const { eventId, journal } = await openContest()
    const former = await service.createPerson({ admin: true })
    const receiver = await startReceiver()
    await registerHook(service, former, receiver.url)
    await deliverFirst({ eventId, journal, receiver })
    await admin.put(`/v1/users/${former.id}`, { is_admin: false })
    const own = await judging.createEvent({ staff: [former.id] })
    await journal.add(eventId, ['2'])
    await journal.add(own, ['own'])
    await untilIds(receiver, ['1', 'own'])
  })
})
