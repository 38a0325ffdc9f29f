import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Connection } from 'rabbitmq-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Database, statement } from '../../../src/db/database.ts'
import { openPostgres } from '../../../src/db/postgres.ts'
import { settlesWithin } from '../../../src/queue/waiting.ts'
import { findPostgresBinaries, type LocalPostgres, startLocalPostgres } from '../postgres.ts'
import { sendSignal } from '../process-tree.ts'
import { findRabbitMqBinaries, type LocalRabbitMq, startLocalRabbitMq } from '../rabbitmq.ts'
import { productionNodeOptions } from '../service.ts'

const isRequired = Boolean(process.env.TEST_REQUIRE_ALL)
const unless = (found: unknown) => (found || isRequired ? '' : ' (LEFT OUT: it is not installed)')
const postgresBinaries = findPostgresBinaries()
const rabbitMqBinaries = findRabbitMqBinaries()
const one = statement<{ one: number }>('', 'select 1 as one')

describe.runIf(postgresBinaries || isRequired)(`a local PostgreSQL${unless(postgresBinaries)}`, () => {
  let postgres: LocalPostgres
  let database: Database
  beforeAll(async () => {
    postgres = await startLocalPostgres({ settings: { max_connections: '17' } })
    database = openPostgres({
      ...{ url: postgres.url, poolSize: 1, statementTimeoutMs: 10_000, connectTimeoutMs: 10_000 },
    })
  })
  afterAll(async () => {
    await database.close()
    await postgres.remove()
  })

  test('runs with the settings it is given, and writes through to the disk', async () => {
    const settings = statement<{ max: string; fsync: string }>(
      '',
      `select current_setting('max_connections') as max, current_setting('fsync') as fsync`,
    )
    expect(await database.query(settings)).toEqual([{ max: '17', fsync: 'on' }])
  })

  test('keeps what was committed when it is stopped at once and started again', async () => {
    await database.query(statement('', 'create table kept as select 1 as one'))
    await postgres.stop('immediate')
    await expect(database.query(one)).rejects.toThrow()
    await postgres.start()
    expect(await database.query(statement('', 'select kept.one from kept'))).toEqual([{ one: 1 }])
  })

  test('answers nothing while it is frozen, and then goes on', async () => {
    postgres.freeze()
    const answer = database.query(one)
    const wasAnswered = await settlesWithin(answer, 300)
    postgres.thaw()
    expect(wasAnswered).toBe(false)
    expect(await answer).toEqual([{ one: 1 }])
  })

  test('tells the CPU time that a statement took', async () => {
    const before = postgres.readCpuMs()
    await database.query(statement('', 'select count(*) from generate_series(1, 2000000)'))
    expect(postgres.readCpuMs()).toBeGreaterThan(before)
  })
})

describe.runIf(rabbitMqBinaries || isRequired)(`a local RabbitMQ${unless(rabbitMqBinaries)}`, () => {
  let rabbitMq: LocalRabbitMq
  let connection: Connection
  const QUEUE = 'kept'
  beforeAll(async () => {
    rabbitMq = await startLocalRabbitMq()
    connection = new Connection({ url: rabbitMq.url, retryLow: 50, retryHigh: 200, acquireTimeout: 60_000 })
    // It is stopped and killed here.
    connection.on('error', () => {})
    await connection.queueDeclare({ queue: QUEUE, durable: true })
  }, 120_000)
  afterAll(async () => {
    await connection.close()
    await rabbitMq.remove()
  })

  const publish = async (body: string) => {
    const publisher = connection.createPublisher({ confirm: true, maxAttempts: 1 })
    await publisher.send({ routingKey: QUEUE, durable: true }, body).finally(() => publisher.close())
  }
  const countMessages = async () =>
    (await connection.queueDeclare({ queue: QUEUE, passive: true })).messageCount

  test('answers nothing while it is frozen, and then goes on', async () => {
    rabbitMq.freeze()
    const sending = publish('while it is frozen')
    const wasAnswered = await settlesWithin(sending, 300)
    rabbitMq.thaw()
    expect(wasAnswered).toBe(false)
    await sending
    expect(await countMessages()).toBe(1)
  })

  test('keeps its queue when it is stopped, what it has confirmed when it is killed, and nothing when it is purged', async () => {
    await rabbitMq.purge(QUEUE)
    // It writes that there is a queue a while after it has said so; before it ends it does.
    await rabbitMq.stop()
    await rabbitMq.start()
    await publish('kept')
    await rabbitMq.kill()
    await rabbitMq.start()
    await vi.waitFor(async () => expect(await countMessages()).toBe(1), { timeout: 60_000 })
    expect(await rabbitMq.purge(QUEUE)).toBe(1)
    expect(await countMessages()).toBe(0)
  }, 120_000)
})

test('the built service runs with the options that `npm start` gives to Node', () => {
  expect(productionNodeOptions()).toEqual([expect.stringMatching(/^--max-semi-space-size=\d+$/)])
})

describe('a process that is interrupted', () => {
  test('leaves neither its servers nor their data behind', async () => {
    const script = fileURLToPath(new URL('./interrupted.ts', import.meta.url))
    const child = execFile(process.execPath, ['--import', 'tsx', '--conditions=source', script])
    const said = await new Promise<string>((resolve) => child.stdout?.once('data', resolve))
    const { pid, folder } = JSON.parse(said)
    expect([sendSignal(pid, 'SIGCONT'), existsSync(folder)]).toEqual([true, true])
    child.kill('SIGINT')
    const isGone = () => {
      expect([existsSync(`/proc/${pid}/exe`), existsSync(folder)]).toEqual([false, false])
    }
    await vi.waitFor(isGone, { timeout: 15_000 })
  })
})
