import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Connection } from 'rabbitmq-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/db/database.ts'
import { settlesWithin } from '../../../src/queue/waiting.ts'
import { ask, openDatabase } from '../database.ts'
import { findPostgresBinaries, type LocalPostgres, startLocalPostgres } from '../postgres.ts'
import { sendSignal } from '../process-tree.ts'
import { findRabbitMqBinaries, type LocalRabbitMq, purgeQueue, startLocalRabbitMq } from '../rabbitmq.ts'
import { productionNodeOptions } from '../service.ts'

const isRequired = Boolean(process.env.TEST_REQUIRE_ALL)
const unless = (found: unknown) => (found || isRequired ? '' : ' (SKIPPED: not installed)')
const postgresBinaries = findPostgresBinaries()
const rabbitMqBinaries = findRabbitMqBinaries()

describe.runIf(postgresBinaries || isRequired)(`a local PostgreSQL${unless(postgresBinaries)}`, () => {
  let postgres: LocalPostgres
  let database: Database
  beforeAll(async () => {
    postgres = await startLocalPostgres({ max_connections: '17' })
    database = openDatabase(postgres.url)
  })
  afterAll(async () => {
    await database.close()
    await postgres.remove()
  })

  test('has the given settings, and writes commits to the disk', async () => {
    const settings = `select current_setting('max_connections') as max, current_setting('fsync') as fsync`
    expect(await ask(database, settings)).toEqual([{ max: '17', fsync: 'on' }])
  })

  test('keeps committed data after an immediate stop and a start', async () => {
    await ask(database, 'create table kept as select 1 as one')
    await postgres.stop('immediate')
    await expect(ask(database, 'select 1')).rejects.toThrow()
    await postgres.start()
    expect(await ask(database, 'select kept.one from kept')).toEqual([{ one: 1 }])
  })

  test('sends no result while it is frozen, and continues afterwards', async () => {
    postgres.freeze()
    const result = ask(database, 'select 1 as one')
    const isSettled = await settlesWithin(result, 300)
    postgres.thaw()
    expect(isSettled).toBe(false)
    expect(await result).toEqual([{ one: 1 }])
  })

  test('reports the CPU time of a statement', async () => {
    const before = postgres.readCpuMs()
    await ask(database, 'select count(*) from generate_series(1, 2000000)')
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
    // These tests stop and kill the server.
    connection.on('error', () => {})
    await connection.queueDeclare({ queue: QUEUE, durable: true })
  })
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

  test('confirms nothing while it is frozen, and continues afterwards', async () => {
    rabbitMq.freeze()
    const sending = publish('while it is frozen')
    const isSettled = await settlesWithin(sending, 300)
    rabbitMq.thaw()
    expect(isSettled).toBe(false)
    await sending
    expect(await countMessages()).toBe(1)
  })

  test('keeps its queue after a stop, confirmed messages after a kill, and no message after a purge', async () => {
    await purgeQueue(rabbitMq.url, QUEUE)
    // RabbitMQ writes a new queue to the disk late, but before it ends in order.
    await rabbitMq.stop()
    await rabbitMq.start()
    await publish('kept')
    await rabbitMq.kill()
    await rabbitMq.start()
    await expect.poll(countMessages).toBe(1)
    expect(await purgeQueue(rabbitMq.url, QUEUE)).toBe(1)
    expect(await countMessages()).toBe(0)
  })
})

test('the built service gets the options of `npm start` for Node', () => {
  expect(productionNodeOptions()).toEqual([expect.stringMatching(/^--max-semi-space-size=\d+$/)])
})

describe('an interrupted process', () => {
  test('leaves no servers and no data behind', async () => {
    const script = fileURLToPath(new URL('./interrupted.ts', import.meta.url))
    const child = execFile(process.execPath, ['--import', 'tsx', '--conditions=source', script])
    const output = await new Promise<string>((resolve) => child.stdout?.once('data', resolve))
    const { pid, folder } = JSON.parse(output)
    expect([sendSignal(pid, 'SIGCONT'), existsSync(folder)]).toEqual([true, true])
    child.kill('SIGINT')
    await expect.poll(() => [`/proc/${pid}/exe`, folder].filter(existsSync)).toEqual([])
  })
})
