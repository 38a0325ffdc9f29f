import { describe, expect, test } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { until } from '../support/until.ts'
import {
  numbers,
  readState,
  registerHook,
  serviceWithWebhooks,
  startDeliveries,
  startReceiver,
} from '../support/webhooks.ts'

const judging = await serviceWithWebhooks()
const { service, openContest, untilIds, untilState } = judging

describe('several instances', () => {
  test('deliver each notification once and in order, also while instances stop and start', async () => {
    const { owner, eventId, journal } = await openContest()
    const receiver = await startReceiver()
    await registerHook(service, owner, receiver.url)
    const instances = [startDeliveries(service, journal), startDeliveries(service, journal)]
    for (const number of numbers(60)) {
      await journal.add(eventId, [number])
      if (Number(number) % 20 === 0) {
        await instances.shift()?.stop()
        instances.push(startDeliveries(service, journal))
      }
    }
    await untilIds(receiver, numbers(60))
    expect(receiver.mostAtOnce()).toBe(1)
  })

  test('leave a webhook to the instance that holds its lease, and take it when a killed one’s lease ends', async () => {
    const { owner, eventId, journal } = await openContest()
    const receiver = await startReceiver()
    const id = await registerHook(service, owner, receiver.url)
    const lease = (change: string) =>
      service.database.query(
        unprepared(
          `update webhooks set lease = gen_random_uuid(), leased_until = now() + interval '${change}'
           where webhooks.id = $1`,
        ),
        [id],
      )
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
    const { owner, eventId, journal } = await openContest()
    const receiver = await startReceiver((response, count) => void (count > 1 && response.end()))
    const id = await registerHook(service, owner, receiver.url)
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
