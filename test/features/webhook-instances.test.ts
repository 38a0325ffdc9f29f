import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { until } from '../support/until.ts'
import * as hooks from '../support/webhooks.ts'

const judging = await hooks.serviceWithWebhooks()
const { service, untilIds, untilState } = judging
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
