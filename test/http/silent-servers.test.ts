import { describe, expect, it } from 'vitest'
import { amqpUrl, openRabbitQueue } from '../queue/harness.ts'
import { serviceWithProblem, submissionBody } from '../support/judging.ts'
import { onBoth, onPostgres } from '../support/needs.ts'
import { expectUnavailable, startProductionService } from '../support/production-service.ts'
import { readRows } from '../support/queue.ts'
import { startProxy } from '../support/tcp-proxy.ts'

/** Returns the variables of a queue that is deleted with the test, or none without RabbitMQ. */
const queueVariables = (): Record<string, string> =>
  amqpUrl === undefined ? {} : { AMQP_URL: amqpUrl, AMQP_QUEUE: openRabbitQueue().name }

async function startBehindProxy(target: 'DATABASE_URL' | 'AMQP_URL', variables: Record<string, string> = {}) {
  const judging = await serviceWithProblem()
  const all: Record<string, string> = { DATABASE_URL: judging.service.databaseUrl ?? '', ...variables }
  const { proxy, url } = await startProxy(all[target] ?? '')
  return { judging, service: await startProductionService({ ...all, [target]: url }), proxy }
}

describe('with a database that accepts connections and is silent', onPostgres, () => {
  it('responds 503 with Retry-After until the database is back', async () => {
    const { judging, service, proxy } = await startBehindProxy('DATABASE_URL', queueVariables())
    const { admin, user, problem, service: app } = judging
    const submission = await judging.submit(user)
    const send = (method: string, path: string, token: string, body?: object) =>
      service.request(method, path, { token, ...(body && { body }) })
    const poll = () => send('GET', `/v1/submissions/${submission}/status`, user.token)
    expect(await poll()).toMatchObject({ status: 200 })
    proxy.freeze()
    service.log.length = 0
    const login = { email: 'nobody@example.org', password: 'a password' }
    const requests = [
      ...Array.from({ length: 30 }, poll),
      send('GET', '/v1/users', admin.token),
      send('GET', '/v1/events', admin.token),
      send('PUT', `/v1/problems/${problem.id}`, admin.token, { title: 'New' }),
      send('GET', '/v1/users/no-id', user.token),
      send('POST', '/v1/basic_login', '', login),
      send('POST', '/v1/basic_request_password_reset', '', login),
      send('GET', '/v1/user/notifications?limit=1', user.token),
      send('GET', '/ready', ''),
      ...Array.from({ length: 5 }, () => send('GET', '/v1/public/events', user.token)),
      send('GET', `/v1/problem_description/${problem.id}/tests`, app.judgeToken),
    ]
    for (const response of await Promise.all(requests)) expectUnavailable(response)
    // The relay gives up too; it runs only with RabbitMQ.
    const isLogged = (text: string) => service.log.some((line) => line.includes(text))
    const expectLogged = (text: string) => amqpUrl && expect.poll(() => isLogged(text)).toBe(true)
    await expectLogged('The outbox cannot be read or written')
    proxy.thaw()
    await expect.poll(async () => (await poll()).status).toBe(200)
    await expectLogged('The outbox can be read and written again')
  })

  it('stops', async () => {
    const { service, proxy } = await startBehindProxy('DATABASE_URL')
    proxy.freeze()
    await service.stop()
  })
})

it('accepts submissions with a silent RabbitMQ, and queues them when it is back', onBoth, async () => {
  const { name: queue, rabbit } = openRabbitQueue()
  const { judging, service, proxy } = await startBehindProxy('AMQP_URL', {
    ...{ AMQP_URL: amqpUrl ?? '', AMQP_QUEUE: queue, RATE_LIMIT_SUBMISSIONS: '1000000/1000000' },
  })
  const { user, problem, language } = judging
  const submission = { token: user.token, body: submissionBody(user, problem, language) }
  const submit = () => service.request('POST', '/v1/submissions', submission)
  const countQueued = async () => (await rabbit.queueDeclare({ queue, durable: true })).messageCount
  expect(await submit()).toMatchObject({ status: 201 })
  await expect.poll(countQueued).toBe(1)
  proxy.freeze()
  for (const response of await Promise.all(Array.from({ length: 40 }, submit)))
    expect(response).toMatchObject({ status: 201, body: { status: 'PENDING' } })
  expect(await countQueued()).toBe(1)
  proxy.thaw()
  // At least once each.
  await expect.poll(countQueued).toBeGreaterThanOrEqual(41)
  await expect.poll(() => readRows(judging.service.database)).toEqual([])
})
