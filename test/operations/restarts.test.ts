import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJudgeClient, type JudgeClient, type Schemas } from '@judge-data-layer/client'
import { NoResponseError, orThrow } from '@judge-data-layer/client/errors'
import { Connection } from 'rabbitmq-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { openContractFetch } from '../../verification/contract.ts'
import { Balancer } from '../support/balancer.ts'
import { databaseKind, openTestDatabase, type TestDatabase } from '../support/database.ts'
import { type ProblemService, serviceWithProblem, submissionBody } from '../support/judging.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'

const CLIENTS = 4
const ACKNOWLEDGED = 60

interface Submitter {
  readonly client: JudgeClient
  readonly violations: readonly string[]
  readonly submission: Omit<Schemas['SubmissionBody'], 'source_code'>
}

async function prepareSubmitter({ url: baseUrl }: ServiceProcess): Promise<Submitter> {
  const { fetch, violations } = await openContractFetch(baseUrl)
  const client = createJudgeClient({ baseUrl, fetch })
  const account = { name: 'Root', email: 'root@example.org', password: 'a password' }
  const { id: user_id, token } = await orThrow(client.POST('/v1/basic_register', { body: account }))
  client.setToken(token)
  const problem = {
    title: 'Echo',
    identifier: 'echo',
    prompt: 'Say it again.',
    difficulty: 'EASY' as const,
    test_cases: [{ input: '1', expected_output: '1' }],
  }
  const { id: problem_id } = await orThrow(client.POST('/v1/problems', { body: problem }))
  const [language] = await orThrow(client.GET('/v1/languages'))
  return { client, violations, submission: { user_id, problem_id, language_id: language?.id ?? '' } }
}

/** Submits several times at once until the service dies; answers the ids that it acknowledged with 201. */
async function submitUntilKilled(
  service: ServiceProcess,
  { client, violations, submission }: Submitter,
): Promise<string[]> {
  const acknowledged: string[] = []
  let killed: Promise<unknown> | undefined
  const submitOnce = async () => {
    const body = { ...submission, source_code: randomUUID() }
    acknowledged.push((await orThrow(client.POST('/v1/submissions', { body }))).id)
    if (acknowledged.length >= ACKNOWLEDGED) killed ??= service.end('SIGKILL')
  }
  const submitAgainAndAgain = async () => {
    try {
      for (;;) await submitOnce()
    } catch (err) {
      // No answer any more, and nothing else, is what ends it.
      if (!(err instanceof NoResponseError && killed)) throw err
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, submitAgainAndAgain))
  await killed
  expect(violations).toEqual([])
  expect(acknowledged.length).toBeGreaterThanOrEqual(ACKNOWLEDGED)
  return acknowledged
}

const readPending = unprepared<{ id: string; waits: boolean }>(`select submissions.id::text,
          exists (select from outbox where outbox.subject_id = submissions.id) as waits
   from submissions
   where submissions.status = 'PENDING'`)

const submissionsOf = async (database: Database) =>
  new Map((await database.query(readPending)).map(({ id, waits }) => [id, waits]))

describe('a service on the embedded database that is killed (kill -9) among submissions', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'judge-killed-'))
  })
  afterAll(() => rm(dataDir, { recursive: true }))

  it('has stored and queued every one that it answered with 201', { timeout: 60_000 }, async () => {
    const service = await startServiceProcess({ DATA_DIR: dataDir })
    const acknowledged = await submitUntilKilled(service, await prepareSubmitter(service))
    const database = await openPglite({ dataDir })
    const stored = await submissionsOf(database).finally(() => database.close())
    expect(acknowledged.filter((id) => !stored.get(id))).toEqual([])
    expect([...stored.values()]).not.toContain(false)
  })
})

const { TEST_DATABASE_URL, TEST_AMQP_URL } = process.env

describe.runIf(TEST_DATABASE_URL && TEST_AMQP_URL)(
  'a service on PostgreSQL and RabbitMQ that is killed',
  () => {
    const queue = `judge-killed-${randomUUID()}`
    let test: TestDatabase
    let broker: Connection
    beforeAll(async () => {
      test = await openTestDatabase()
      broker = new Connection(TEST_AMQP_URL)
    })
    afterAll(async () => {
      await broker.queueDelete({ queue })
      await broker.close()
      await test.close()
    })

    it('has stored every one that it answered with 201, and each reaches the queue', {
      timeout: 90_000,
    }, async () => {
      const variables = { DATABASE_URL: test.url ?? '', AMQP_URL: TEST_AMQP_URL ?? '', AMQP_QUEUE: queue }
      const service = await startServiceProcess(variables)
      const acknowledged = await submitUntilKilled(service, await prepareSubmitter(service))
      const database = openPostgres({
        url: test.url ?? '',
        poolSize: 1,
        statementTimeoutMs: 10_000,
        connectTimeoutMs: 10_000,
      })
      const stored = await submissionsOf(database).finally(() => database.close())
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])

      const again = await startServiceProcess(variables)
      const arrived = new Set<string>()
      const consumer = broker.createConsumer({ queue, queueOptions: { durable: true } }, ({ body }) => {
        arrived.add(body.id)
      })
      // Rows that the killed process had claimed come back when its lease has ended (20 s).
      await vi.waitFor(() => expect([...stored.keys()].filter((id) => !arrived.has(id))).toEqual([]), {
        timeout: 40_000,
        interval: 200,
      })
      await consumer.close()
      expect(await again.end('SIGTERM')).toBe(0)
    })
  },
)

/** What the clients do before, between and after the replacements. */
const ROUNDS = 25
const queue = `judge-rolling-${randomUUID()}`

let judging: ProblemService

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

const readStored = unprepared<{ id: string }>('select submissions.id::text from submissions')

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
    judging = await serviceWithProblem()
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
