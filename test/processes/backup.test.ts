import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createDatabase } from '../../tools/local-servers/database.ts'
import { expectArrived } from '../queue/harness.ts'
import { databaseKind } from '../support/database.ts'
import { readSchema, readSequences, readTables } from '../support/database-contents.ts'
import { findCommand, hasPostgresClient, runCommand } from '../support/documented-commands.ts'
import { submissionBody } from '../support/judging.ts'
import { onRabbitMq } from '../support/needs.ts'
import { type ProductionService, startProductionService } from '../support/production-service.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { type PlantedWorld, plantWorld } from '../walks/planted-world.ts'

const { TEST_AMQP_URL, TEST_REQUIRE_ALL } = process.env
const canRun = databaseKind === 'postgres' && (hasPostgresClient() || Boolean(TEST_REQUIRE_ALL))
if (databaseKind === 'postgres' && !canRun)
  console.log('The test of pg_dump is NOT run: it is not installed.')

/** The tables that the service writes during the dump, by submissions. */
const WRITTEN = ['changes', 'outbox', 'submissions']

const execute = (database: Database, text: string, values: string[] = []) =>
  database.query(unprepared(text), values)

describe.runIf(canRun)('a dump that is taken while the service writes, restored into a new database,', () => {
  let world: PlantedWorld
  let folder: string
  let restored: Awaited<ReturnType<typeof createDatabase>>
  let before: { tables: Map<string, string[]>; sequences: Map<string, number>; schema: string[] }
  /** A submission whose message is in RabbitMQ, and so not in the dump. */
  let published: string
  const accepted: string[] = []

  beforeAll(async () => {
    world = await plantWorld()
    const { rival } = world
    const { service, submit, problem, language } = world.contests
    const [category] = await rival.get('/v1/categories')
    await world.contests.createProblem({ category_ids: [category.id] })
    const idempotent = { 'idempotency-key': randomUUID() }
    await rival.send('POST', '/v1/submissions', submissionBody(rival, problem, language), idempotent)
    published = await submit(rival)
    await execute(service.database, 'delete from outbox where subject_id = $1', [published])
    await execute(
      service.database,
      `insert into event_reveals (event_id, user_id, problem_id, step)
       select event_scores.event_id, event_scores.user_id, event_scores.problem_id, 1 from event_scores`,
    )
    await service.anonymous.post('/v1/basic_request_password_reset', { email: 'nobody@example.org' })
    const webhook = { url: 'https://example.org/', token: 'a-token' }
    await world.contests.admin.post('/v1/clics/webhooks', webhook, 201)
    await execute(
      service.database,
      `insert into webhook_positions (webhook_id, event_id, position, read_at)
       select webhooks.id, events.id, '', now() from webhooks cross join events`,
    )
    await service.judge.put('/v1/judges/judge-1', { languages: [], concurrency: 1 }, 204)
    before = {
      tables: await readTables(service.database),
      sequences: await readSequences(service.database),
      schema: await readSchema(service.database),
    }
    folder = await makeTemporaryFolder()
    restored = await createDatabase(process.env.TEST_DATABASE_URL ?? '', 'restored')
    await dumpWhileWriting()
  })
  afterAll(async () => {
    await restored?.drop()
    await world?.contests.service.close()
  })

  async function dumpWhileWriting(): Promise<void> {
    const { service, submit } = world.contests
    let isDumped = false
    const submitAll = async () => {
      while (!isDumped) accepted.push(await submit(world.rival))
    }
    const writing = submitAll()
    try {
      // The dump must contain what was written before it began.
      await until(() => expect(accepted.length).toBeGreaterThanOrEqual(3))
      await runCommand(findCommand('pg_dump'), folder, { DATABASE_URL: service.databaseUrl ?? '' })
    } finally {
      isDumped = true
      await writing
    }
    await runCommand(findCommand('pg_restore'), folder, { NEW_DATABASE_URL: restored.url })
  }

  it('has every row of every table and the same schema, and continues to count ids', async () => {
    const after = await readTables(restored.database)
    expect([...after.keys()]).toEqual([...before.tables.keys()])
    for (const [table, rows] of before.tables) {
      expect(rows, `${table} must have rows`).not.toEqual([])
      if (!WRITTEN.includes(table)) expect(after.get(table), table).toEqual(rows)
    }
    expect(await readSchema(restored.database)).toEqual(before.schema)
    for (const [sequence, value] of await readSequences(restored.database)) {
      const last = before.sequences.get(sequence) ?? 0
      if (sequence === 'outbox_id_seq' || sequence === 'changes_id_seq')
        expect(value).toBeGreaterThanOrEqual(last)
      else expect(value, sequence).toBe(last)
    }
  })

  it('has all submissions up to one instant, each with its message', async () => {
    const after = await readTables(restored.database)
    for (const table of WRITTEN) {
      const rows = new Set(after.get(table))
      const missing = before.tables.get(table)?.filter((row) => !rows.has(row))
      expect(missing, table).toEqual([])
    }
    const queued = unprepared<{ id: string }>(`select submissions.id::text
       from submissions
       join outbox on outbox.subject_id = submissions.id
       where submissions.status = 'PENDING'`)
    const dumped = (await restored.database.query(queued))
      .map(({ id }) => id)
      .filter((id) => accepted.includes(id))
    expect(dumped.length).toBeGreaterThanOrEqual(3)
    expect(accepted.length).toBeGreaterThan(dumped.length)
    expect(new Set(dumped)).toEqual(new Set(accepted.slice(0, dumped.length)))
    const submissionsBefore = before.tables.get('submissions')?.length ?? 0
    expect(after.get('submissions')).toHaveLength(submissionsBefore + dumped.length)
  })

  describe('with a service on it', () => {
    const queue = `judge-restored-${randomUUID()}`
    let service: ProductionService

    beforeAll(async () => {
      service = await startProductionService({
        ...{ DATABASE_URL: restored.url, SEARCH_BACKEND: 'postgres', REQUEUE_AFTER_SECONDS: '1' },
        ...(TEST_AMQP_URL !== undefined && { AMQP_URL: TEST_AMQP_URL, AMQP_QUEUE: queue }),
      })
    })
    afterAll(() => service?.stop())

    it('responds to the same requests with the same bytes', async () => {
      const { ids, victim } = world
      const event = `/v1/events/${ids.event_id?.[0]}`
      const urls = [
        ...['/v1/problems', '/v1/problems?query=Answer', '/v1/user/notifications'],
        ...[`/v1/submissions/${ids.submission_id?.[0]}`, `/v1/user_submissions/${victim.id}`],
        ...[`${event}/attempts`, `${event}/problems_stats`, `${event}/questions`, `${event}/teams`],
        `/v1/public/events/${ids.event_id?.[0]}`,
      ]
      for (const url of urls) {
        const { status, text } = await victim.send('GET', url)
        expect(status, url).toBe(200)
        expect(await service.request('GET', url, { token: victim.token })).toMatchObject({ status, text })
      }
    })

    it('accepts a login with the old password, and a new submission', async () => {
      const { contests, marks, rival, victim } = world
      const credentials = { email: victim.email, password: marks.get('password') }
      const { id, name, email } = victim
      const login = await service.request('POST', '/v1/basic_login', { body: credentials })
      expect(login).toMatchObject({ status: 200, body: { id, name, email } })
      const body = submissionBody(rival, contests.problem, contests.language)
      const sent = await service.request('POST', '/v1/submissions', { token: rival.token, body })
      expect(sent.status).toBe(201)
    })

    it('queues again the messages that were in RabbitMQ during the dump', onRabbitMq, () =>
      expectArrived(queue, [published]),
    )
  })
})
