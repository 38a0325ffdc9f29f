import { expect, test } from 'vitest'
import { createChangeLog } from '../../src/changes/change-log.ts'
import { onePool } from '../../src/db/pools.ts'
import { createDeliverySources } from '../../src/features/webhooks/delivery-sources.ts'
import { startWebhooks } from '../../src/features/webhooks/start.ts'
import { ListCache } from '../../src/lists/cache.ts'
import { PATIENT } from '../support/app.ts'
import { closeLater } from '../support/cleanup.ts'
import { isoIn, running } from '../support/contests.ts'
import { keepLog } from '../support/queue.ts'
import { until } from '../support/until.ts'
import { registerHook, serviceWithWebhooks, startReceiver } from '../support/webhooks.ts'

const judging = await serviceWithWebhooks()
const { service, admin, problem, createEvent, createParticipant, submit, giveVerdict } = judging
const { config, database } = service

/** Delivers as the service does, to receivers on this machine. */
function startService() {
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
