import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJudgeClient, type JudgeClient, type Schemas } from '@judge-data-layer/client'
import { NoResponseError, orThrow } from '@judge-data-layer/client/errors'
import { Connection } from 'rabbitmq-client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Database, statement } from '../../src/db/database.ts'
import { openPglite } from '../../src/db/pglite.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { openContractFetch } from '../../verification/contract.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
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

const readPending = statement<{ id: string; waits: boolean }>(
  'read_pending',
  `select submissions.id::text,
          exists (select from outbox where outbox.subject_id = submissions.id) as waits
   from submissions
   where submissions.status = 'PENDING'`,
)

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
