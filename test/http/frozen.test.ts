import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { Connection } from 'rabbitmq-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service.ts'
import { openContractFetch } from '../../verification/contract.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { databaseKind } from '../support/database.ts'
import { type ProblemService, serviceWithProblem } from '../support/judging.ts'
import { readRows, WITHIN } from '../support/queue.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

/** What a loaded machine may take for itself beyond what the service is allowed. */
const SLACK_MS = 2000

const amqpUrl = process.env.TEST_AMQP_URL

/** A queue that goes with the test, where there is a RabbitMQ. */
function queueOfTheTest(): Record<string, string> {
  if (amqpUrl === undefined) return {}
  const queue = `test_${randomUUID()}`
  onTestFinished(async () => {
    const rabbit = new Connection(amqpUrl)
    await rabbit.queueDelete(queue)
    await rabbit.close()
  })
  return { AMQP_URL: amqpUrl, AMQP_QUEUE: queue }
}

interface Frozen {
  readonly judging: ProblemService
  readonly service: Service
  readonly proxy: TcpProxy
  readonly log: string[]
  ask(method: string, path: string, token: string, body?: object): Promise<Timed>
}

interface Timed {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: ReturnType<JSON['parse']>
  readonly ms: number
}

/** The service as in production, with a proxy that may freeze before its database or its queue. */
async function openFreezable(what: 'DATABASE_URL' | 'AMQP_URL', variables: Record<string, string> = {}) {
  const judging = await serviceWithProblem()
  onTestFinished(() => judging.service.close())
  const wanted: Record<string, string> = { DATABASE_URL: judging.service.databaseUrl ?? '', ...variables }
  const target = new URL(wanted[what] ?? '')
  const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port || 5672) })
  onTestFinished(() => proxy.close())
  target.host = `127.0.0.1:${proxy.port}`
  const secrets = { JWT_SIGNING_SECRET, JUDGE_PASSWORD, WEB_BRIDGE_SECRET }
  const config = loadConfig({ ...secrets, HOST: '127.0.0.1', PORT: '0', ...wanted, [what]: target.href })
  const log: string[] = []
  const logger = pino({ base: null }, { write: (line: string) => void log.push(line) })
  const service = await startService(config, logger)
  const contract = await openContractFetch(service.url)
  const frozen: Frozen = {
    judging,
    service,
    proxy,
    log,
    ask: async (method, path, authorization, body) => {
      const startedMs = performance.now()
      const headers = { authorization, 'content-type': 'application/json' }
      const sent = body === undefined ? null : JSON.stringify(body)
      const response = await contract.fetch(new Request(service.url + path, { method, headers, body: sent }))
      const text = await response.text()
      expect(contract.violations).toEqual([])
      const retryAfter = response.headers.get('retry-after')
      return {
        status: response.status,
        retryAfter,
        body: JSON.parse(text),
        ms: performance.now() - startedMs,
      }
    },
  }
  return frozen
}

describe.runIf(databaseKind === 'postgres')('a database that takes connections and says nothing', () => {
  it('is a 503 with Retry-After in two seconds for what is quick and in a bounded time for the rest, and nobody waits once it is back', async () => {
    const { judging, service, proxy, log, ask } = await openFreezable('DATABASE_URL', queueOfTheTest())
    const { admin, user, problem, service: app } = judging
    const submission = await judging.submit(user)
    const poll = () => ask('GET', `/v1/submissions/${submission}/status`, user.token)
    expect(await poll()).toMatchObject({ status: 200 })
    proxy.freeze()
    log.length = 0
    const login = { email: 'nobody@example.org', password: 'a password' }
    const quick = [
      ...Array.from({ length: 30 }, poll),
      ask('GET', '/v1/users', admin.token),
      ask('GET', '/v1/events', admin.token),
      ask('PUT', `/v1/problems/${problem.id}`, admin.token, { title: 'New' }),
      ask('GET', '/v1/users/no-id', user.token),
      ask('POST', '/v1/basic_login', '', login),
      ask('POST', '/v1/basic_request_password_reset', '', login),
      ask('GET', '/v1/user/notifications?limit=1', user.token),
      ask('GET', '/ready', ''),
    ]
    const long = [
      ...Array.from({ length: 5 }, () => ask('GET', '/v1/public/events', user.token)),
      ask('GET', `/v1/problem_description/${problem.id}/tests`, app.judgeToken),
    ]
    for (const answer of await Promise.all(quick)) {
      expect(answer).toMatchObject({ status: 503, retryAfter: '5', body: { code: 'UNAVAILABLE' } })
      expect(answer.ms).toBeLessThan(2000 + SLACK_MS)
    }
    for (const answer of await Promise.all(long)) {
      expect(answer).toMatchObject({ status: 503, retryAfter: '5', body: { code: 'UNAVAILABLE' } })
      expect(answer.ms).toBeLessThan(20_000 + SLACK_MS)
    }
    // Nor does what the service does unasked wait for ever; without RabbitMQ it does nothing.
    const says = (text: string) => log.some((line) => line.includes(text))
    if (amqpUrl) await expect.poll(() => says('The outbox cannot be read or written'), WITHIN).toBe(true)
    proxy.thaw()
    await expect.poll(async () => (await poll()).status, WITHIN).toBe(200)
    if (amqpUrl) await expect.poll(() => says('The outbox can be read and written again'), WITHIN).toBe(true)
    await service.stop()
  }, 60_000)

  it('does not keep the service from ending', async () => {
    const { service, proxy } = await openFreezable('DATABASE_URL')
    proxy.freeze()
    const startedMs = performance.now()
    await service.stop()
    expect(performance.now() - startedMs).toBeLessThan(15_000 + SLACK_MS)
  }, 60_000)
})

describe.runIf(amqpUrl && databaseKind === 'postgres')('a RabbitMQ that says nothing', () => {
  it('keeps no submission waiting: each is answered as ever, and is queued once it is back', async () => {
    const variables = queueOfTheTest()
    const queue = variables.AMQP_QUEUE ?? ''
    const rabbit = new Connection(amqpUrl)
    onTestFinished(() => rabbit.close())
    const { judging, service, proxy, ask } = await openFreezable('AMQP_URL', {
      ...variables,
      RATE_LIMIT_SUBMISSIONS: '1000000/1000000',
    })
    const { user, problem, language } = judging
    const fields = { user_id: user.id, problem_id: problem.id, language_id: language.id, source_code: 'x' }
    const submit = () => ask('POST', '/v1/submissions', user.token, fields)
    const countQueued = async () => (await rabbit.queueDeclare({ queue, durable: true })).messageCount
    expect(await submit()).toMatchObject({ status: 201 })
    await expect.poll(countQueued, WITHIN).toBe(1)
    proxy.freeze()
    for (const answer of await Promise.all(Array.from({ length: 40 }, submit))) {
      expect(answer).toMatchObject({ status: 201, body: { status: 'PENDING' } })
      expect(answer.ms).toBeLessThan(2000)
    }
    expect(await countQueued()).toBe(1)
    proxy.thaw()
    // At least once each.
    await expect.poll(countQueued, WITHIN).toBeGreaterThanOrEqual(41)
    await expect.poll(() => readRows(judging.service.database), WITHIN).toEqual([])
    await service.stop()
  }, 60_000)
})
