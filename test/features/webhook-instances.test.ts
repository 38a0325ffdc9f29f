import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createChangeLog } from '../../src/changes/change-log.ts'
import { onePool } from '../../src/db/pools.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createDeliverySources } from '../../src/features/webhooks/delivery-sources.ts'
import { changeWebhook, createWebhook } from '../../src/features/webhooks/sql.ts'
import { startWebhooks } from '../../src/features/webhooks/start.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import { ListCache } from '../../src/lists/cache.ts'
import { PATIENT } from '../support/app.ts'
import { closeLater } from '../support/cleanup.ts'
import { isoIn, running } from '../support/contests.ts'
import { onPostgres } from '../support/needs.ts'
import { keepLog } from '../support/queue.ts'
import { until } from '../support/until.ts'
import * as hooks from '../support/webhooks.ts'

const judging = await hooks.serviceWithWebhooks()
const { service, admin, problem, openContest, untilIds, untilState } = judging
const { createEvent, createParticipant, submit, giveVerdict } = judging
const { openHook } = hooks.hooksOf(judging)
const { numbers, readState, registerHook, startDeliveries, startReceiver } = hooks

describe('several instances', () => {
  test('deliver each notification once and in order, also while instances stop and start', async () => {
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

  test('leave a webhook to the instance that holds its lease, and take it when a killed one’s lease ends', async () => {
    const { owner, eventId, journal, receiver, id } = await openHook()
    const lease = (length: string) => {
      const change = `lease = gen_random_uuid(), leased_until = now() + interval '${length}'`
      return service.database.query(unprepared(`update webhooks set ${change} where id = $1`), [id])
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

  test('send again what had no response when an instance stopped', async () => {
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
  await service.database.transaction(async (tx) => {
    const end = unprepared('update users set session_version = session_version + 1 where users.id = $1')
    await tx.query(end, [userId])
    running = run(new ActorDatabase(service.database, actor)).catch((err: unknown) => err)
    await until(async () => expect(await service.database.query(selectWaiting)).toHaveLength(1))
  })
  await running
}

// The embedded database has one session: its transactions do not overlap.
describe('a new password (P26)', onPostgres, () => {
  test('deactivates a webhook also if the old session activates it meanwhile', async () => {
    const { owner } = await openContest()
    const id = await registerHook(service, owner, 'https://example.org/')
    await duringNewPassword(owner.id, (db) => db.query(changeWebhook, { webhook_id: id, active: true }))
    expect(await readState(service, id)).toMatchObject({ active: false })
  })

  test('lets the old session register no webhook meanwhile', async () => {
    const { owner, eventId } = await openContest()
    const id = crypto.randomUUID()
    const values = { id, url: 'https://example.org/', token: 'x', endpoints: [], contest_ids: [eventId] }
    await duringNewPassword(owner.id, (db) => db.query(createWebhook, { ...values, position: '', most: 20 }))
    expect(await readState(service, id)).toBeUndefined()
  })
})

/** Delivers as the service does, to receivers on this machine. */
function startService() {
  const { config, database } = service
  const logger = keepLog()
  const changes = createChangeLog({ database, config, logger })
  const pool = onePool(database, PATIENT).background
  const sources = createDeliverySources({ changes, config, database: pool, cache: new ListCache() })
  const webhooks = startWebhooks({
    ...{ changes, database, logger, ...sources },
    config: { webhookNetworks: ['127.0.0.0/8'] },
    times: { tickMs: 5, claimMs: 50, renewMs: 100, roundMs: 1 },
  })
  closeLater(async () => {
    await webhooks.stop()
    await changes.stop()
  })
}

test('webhooks of staff get what has changed in a contest, frozen results too, as the endpoints have it (P26)', async () => {
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
  const types = ['teams', 'submissions', 'judgements', 'clarifications', 'awards']
  await until(async () => {
    for (const type of types) {
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
