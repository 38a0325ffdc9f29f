import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Connection } from 'rabbitmq-client'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { type Service, startService } from '../../src/service.ts'
import { type PlantedWorld, plantWorld } from '../attacks/planted-world.ts'
import { JUDGE_PASSWORD, JWT_SIGNING_SECRET, WEB_BRIDGE_SECRET } from '../support/app.ts'
import { databaseKind, databaseUrl, openAdmin } from '../support/database.ts'
import { readSchema, readSequences, readTables } from '../support/database-contents.ts'
import { findCommand, hasPostgresClient, runCommand } from '../support/documented-commands.ts'
import { submissionBody } from '../support/judging.ts'

const { TEST_AMQP_URL, TEST_REQUIRE_ALL } = process.env
const canRun = databaseKind === 'postgres' && (hasPostgresClient() || Boolean(TEST_REQUIRE_ALL))
if (databaseKind === 'postgres' && !canRun)
  console.log('The test of pg_dump is NOT run: it is not installed.')

/** What the service writes while it is dumped: a submission and its message. */
const WRITTEN = ['outbox', 'submissions']

const execute = (database: Database, text: string, values: string[] = []) =>
  database.query(unprepared(text), values)

describe.runIf(canRun)(
  'a dump that is taken while the service writes, restored into a fresh database,',
  () => {
    let world: PlantedWorld
    let folder: string
    let restored: Database
    let restoredUrl: string
    /** Before the dump began. */
    let before: { tables: Map<string, string[]>; sequences: Map<string, number>; schema: string[] }
    /** Its message was with RabbitMQ when the dump was taken, and is in no dump. */
    let handedOver: string
    const acknowledged: string[] = []

    beforeAll(async () => {
      world = await plantWorld()
      const { rival } = world
      const { service, submit, problem, language } = world.contests
      const categories = await service.send({ method: 'GET', url: '/v1/categories', token: rival.token })
      await world.contests.createProblem({ category_ids: [categories.body[0].id] })
      const headers = { 'idempotency-key': randomUUID() }
      const body = submissionBody(rival, problem, language)
      await service.send({ method: 'POST', url: '/v1/submissions', token: rival.token, body, headers })
      handedOver = await submit(rival)
      await execute(service.database, 'delete from outbox where subject_id = $1', [handedOver])
      before = {
        tables: await readTables(service.database),
        sequences: await readSequences(service.database),
        schema: await readSchema(service.database),
      }
      folder = await mkdtemp(join(tmpdir(), 'judge-backup-'))
      restoredUrl = await createDatabase()
      await dumpWhileWriting()
      restored = openPostgres({
        url: restoredUrl,
        poolSize: 2,
        statementTimeoutMs: 10_000,
        connectTimeoutMs: 10_000,
      })
    }, 120_000)
    afterAll(async () => {
      await restored?.close()
      if (restoredUrl !== undefined) await dropDatabase(restoredUrl)
      if (folder !== undefined) await rm(folder, { recursive: true })
      await world?.contests.service.close()
    })

    async function dumpWhileWriting(): Promise<void> {
      const { rival } = world
      const { service, submit } = world.contests
      let isDumped = false
      const write = async () => {
        while (!isDumped) acknowledged.push(await submit(rival))
      }
      const writing = write()
      try {
        // What is written before the dump begins must be in it.
        await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThanOrEqual(3), { timeout: 20_000 })
        await runCommand(findCommand('pg_dump'), folder, { DATABASE_URL: service.databaseUrl ?? '' })
      } finally {
        isDumped = true
        await writing
      }
      await runCommand(findCommand('pg_restore'), folder, { NEW_DATABASE_URL: restoredUrl })
    }

    it('has every table with every row, and every table of the world had some', async () => {
      const after = await readTables(restored)
      expect([...after.keys()]).toEqual([...before.tables.keys()])
      for (const [table, rows] of before.tables) {
        expect(rows, table).not.toEqual([])
        if (!WRITTEN.includes(table)) expect(after.get(table), table).toEqual(rows)
      }
    })

    it('has what was being written up to one instant, each submission with its message', async () => {
      const after = await readTables(restored)
      for (const table of WRITTEN) {
        const rows = new Set(after.get(table))
        expect(
          before.tables.get(table)?.filter((row) => !rows.has(row)),
          table,
        ).toEqual([])
      }
      const found = await restored.query(
        unprepared<{ id: string }>(`select submissions.id::text
         from submissions
         where submissions.status = 'PENDING' and exists (select from outbox where outbox.subject_id = submissions.id)`),
      )
      const dumped = found.map(({ id }) => id).filter((id) => acknowledged.includes(id))
      expect(dumped.length).toBeGreaterThanOrEqual(3)
      expect(acknowledged.length).toBeGreaterThan(dumped.length)
      expect(new Set(dumped)).toEqual(new Set(acknowledged.slice(0, dumped.length)))
      expect(after.get('submissions')).toHaveLength(
        (before.tables.get('submissions')?.length ?? 0) + dumped.length,
      )
    })

    it('has the same columns, constraints, indexes, functions, options and extensions, and goes on counting', async () => {
      expect(await readSchema(restored)).toEqual(before.schema)
      for (const [sequence, value] of await readSequences(restored)) {
        if (sequence === 'outbox_id_seq')
          expect(value).toBeGreaterThanOrEqual(before.sequences.get(sequence) ?? 0)
        else expect(value, sequence).toBe(before.sequences.get(sequence))
      }
    })

    describe('and a service on it', () => {
      const queue = `judge-restored-${randomUUID()}`
      let service: Service

      beforeAll(async () => {
        const variables = {
          ...{ JWT_SIGNING_SECRET, JUDGE_PASSWORD, WEB_BRIDGE_SECRET, SEARCH_BACKEND: 'postgres' },
          ...{ DATABASE_URL: restoredUrl, HOST: '127.0.0.1', PORT: '0', REQUEUE_AFTER_SECONDS: '1' },
          ...(TEST_AMQP_URL !== undefined && { AMQP_URL: TEST_AMQP_URL, AMQP_QUEUE: queue }),
        }
        service = await startService(loadConfig(variables), pino({ level: 'silent' }))
      })
      afterAll(() => service?.stop())

      const ask = async (path: string, init: RequestInit) => {
        const response = await fetch(service.url + path, init)
        return { status: response.status, text: await response.text() }
      }

      it('answers the same bytes to the same requests', async () => {
        const { contests, ids, victim } = world
        const [arena] = ids.event_id ?? []
        const paths = [
          '/v1/problems',
          '/v1/problems?query=Answer',
          `/v1/submissions/${ids.submission_id?.[0]}`,
          `/v1/user_submissions/${victim.id}`,
          `/v1/events/${arena}/attempts`,
          `/v1/events/${arena}/problems_stats`,
          `/v1/events/${arena}/questions`,
          `/v1/events/${arena}/teams`,
          `/v1/public/events/${arena}`,
          '/v1/user/notifications',
        ]
        for (const url of paths) {
          const { status, text } = await contests.service.send({ method: 'GET', url, token: victim.token })
          expect(status, url).toBe(200)
          expect(await ask(url, { headers: { authorization: victim.token } })).toEqual({ status, text })
        }
      })

      it('lets a person log in with their password', async () => {
        const { marks, victim } = world
        const body = JSON.stringify({ email: victim.email, password: marks.get('password') })
        const headers = { 'content-type': 'application/json' }
        const { status, text } = await ask('/v1/basic_login', { method: 'POST', headers, body })
        expect(status, text).toBe(200)
        expect(JSON.parse(text)).toMatchObject({ id: victim.id, name: victim.name, email: victim.email })
      })

      it('takes a new submission', async () => {
        const { contests, rival } = world
        const body = JSON.stringify(submissionBody(rival, contests.problem, contests.language))
        const headers = { authorization: rival.token, 'content-type': 'application/json' }
        expect(await ask('/v1/submissions', { method: 'POST', headers, body })).toMatchObject({ status: 201 })
      })

      it.runIf(TEST_AMQP_URL)(
        'queues again what had already been with the queue when it was dumped',
        async () => {
          const broker = new Connection(TEST_AMQP_URL)
          const arrived = new Set<string>()
          const consumer = broker.createConsumer({ queue, queueOptions: { durable: true } }, ({ body }) => {
            arrived.add(body.id)
          })
          try {
            await vi.waitFor(() => expect([...arrived]).toContain(handedOver), {
              timeout: 20_000,
              interval: 50,
            })
          } finally {
            await consumer.close()
            await broker.queueDelete({ queue })
            await broker.close()
          }
        },
      )
    })
  },
)

function serverUrl(): string {
  const template = inject('template')
  return template.kind === 'postgres' ? template.serverUrl : ''
}

async function createDatabase(): Promise<string> {
  const name = `judge_restored_${randomUUID().slice(0, 8)}`
  const admin = openAdmin(serverUrl())
  await execute(admin, `create database ${name}`).finally(() => admin.close())
  return databaseUrl(serverUrl(), name)
}

async function dropDatabase(url: string): Promise<void> {
  const admin = openAdmin(serverUrl())
  await execute(admin, `drop database ${new URL(url).pathname.slice(1)} with (force)`).finally(() =>
    admin.close(),
  )
}
