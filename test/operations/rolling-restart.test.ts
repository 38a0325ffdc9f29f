import { randomUUID } from 'node:crypto'
import { Connection } from 'rabbitmq-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { type Judging, openJudging, submissionBody } from '../features/judging-support.ts'
import { databaseKind } from '../support/database.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { Balancer } from './balancer.ts'

const CLIENTS = 4
/** What the clients do before, between and after the replacements. */
const ROUNDS = 25

const { TEST_AMQP_URL } = process.env
const queue = `judge-rolling-${randomUUID()}`

let judging: Judging

const startInstance = () =>
  startServiceProcess({
    DATABASE_URL: judging.service.databaseUrl ?? '',
    DATABASE_POOL_SIZE: '6',
    ...(TEST_AMQP_URL !== undefined && { AMQP_URL: TEST_AMQP_URL, AMQP_QUEUE: queue }),
  })

interface Traffic {
  /** The ids that were answered with 201. */
  readonly acknowledged: string[]
  /** Every answer that was not as it should be, and every request without one. */
  readonly failures: string[]
  readonly answeredBy: Set<string>
  /** Waits until that many more requests of each kind were answered. */
  untilMore(rounds: number): Promise<void>
  stop(): Promise<void>
}

/** Submits, polls and lists without a pause, each client on its own. */
function startTraffic(balancer: Balancer): Traffic {
  const { user, problem, language } = judging
  const acknowledged: string[] = []
  const failures: string[] = []
  const answeredBy = new Set<string>()
  let isStopping = false
  const ask = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await balancer.send({
      method,
      path,
      token: user.token,
      ...(body !== undefined && { body }),
    })
    answeredBy.add(answer.from)
    if (answer.status !== status) failures.push(`${method} ${path}: ${answer.status} ${answer.text}`)
    return JSON.parse(answer.text)
  }
  const goOn = async () => {
    while (!isStopping) {
      try {
        const { id } = await ask(201, 'POST', '/v1/submissions', submissionBody(user, problem, language))
        acknowledged.push(id)
        expect(await ask(200, 'GET', `/v1/submissions/${id}/status`)).toEqual({ id, status: 'PENDING' })
        await ask(200, 'GET', '/v1/problems')
      } catch (err) {
        failures.push(String(err))
      }
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, goOn))
  return {
    acknowledged,
    failures,
    answeredBy,
    untilMore: async (rounds) => {
      const enough = acknowledged.length + rounds
      await expect.poll(() => acknowledged.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(enough)
    },
    stop: async () => {
      isStopping = true
      await clients
    },
  }
}

/** Starts the next instance first, as an upgrade does; the balancer learns that the old one is gone once it is. */
async function replace(balancer: Balancer, old: ServiceProcess): Promise<ServiceProcess> {
  const next = await startInstance()
  balancer.add(next.url)
  expect(await old.end('SIGTERM')).toBe(0)
  balancer.remove(old.url)
  return next
}

const readStored = statement<{ id: string }>('', 'select submissions.id::text from submissions')

async function readArrived(expected: readonly string[]): Promise<void> {
  const broker = new Connection(TEST_AMQP_URL)
  const arrived = new Set<string>()
  const consumer = broker.createConsumer({ queue, queueOptions: { durable: true } }, ({ body }) => {
    arrived.add(body.id)
  })
  try {
    await vi.waitFor(() => expect(expected.filter((id) => !arrived.has(id))).toEqual([]), {
      timeout: 30_000,
      interval: 100,
    })
  } finally {
    await consumer.close()
    await broker.queueDelete({ queue })
    await broker.close()
  }
}

// The embedded database has one process, and so one instance.
describe.runIf(databaseKind === 'postgres')('two instances behind a load balancer', () => {
  beforeAll(async () => {
    judging = await openJudging()
  })
  afterAll(() => judging?.service.close())

  it('are replaced one after the other, by SIGTERM, without a request that fails or a 201 that is lost', {
    timeout: 120_000,
  }, async () => {
    const old = await Promise.all([startInstance(), startInstance()])
    const balancer = new Balancer()
    onTestFinished(() => balancer.close())
    for (const { url } of old) balancer.add(url)
    const traffic = startTraffic(balancer)
    await traffic.untilMore(ROUNDS)
    const next: ServiceProcess[] = []
    for (const instance of old) {
      next.push(await replace(balancer, instance))
      await traffic.untilMore(ROUNDS)
    }
    await traffic.stop()
    expect(traffic.failures).toEqual([])
    expect(traffic.answeredBy).toEqual(new Set([...old, ...next].map(({ url }) => url)))

    const stored = new Set((await judging.service.database.query(readStored)).map(({ id }) => id))
    expect(traffic.acknowledged.filter((id) => !stored.has(id))).toEqual([])
    if (TEST_AMQP_URL !== undefined) await readArrived(traffic.acknowledged)
    for (const instance of next) expect(await instance.end('SIGTERM')).toBe(0)
  })
})
