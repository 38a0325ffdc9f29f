import { randomUUID } from 'node:crypto'
import { JudgeApiError, NoResponseError } from '@judge-data-layer/client/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPglite } from '../../src/db/pglite.ts'
import { unprepared } from '../../src/db/statement.ts'
import { openSubmitter } from '../../tools/local-servers/submitter.ts'
import { type ProblemService, serviceWithProblem } from '../support/judging.ts'
import { onPostgres } from '../support/needs.ts'
import { copyEmbeddedDatabase } from '../support/process-database.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { openContractFetch } from '../support/verification/contract.ts'

const CLIENTS = 4
const SUBMISSIONS = 60

/** Submits with several clients until the service is killed; resolves to the accepted ids. */
async function submitUntilKilled(service: ServiceProcess): Promise<string[]> {
  const { fetch, violations } = await openContractFetch(service.url)
  const { submit } = await openSubmitter(service.url, 1, fetch)
  const accepted: string[] = []
  let killed: Promise<unknown> | undefined
  const submitOnce = async () => {
    accepted.push(await submit(randomUUID()))
    if (accepted.length >= SUBMISSIONS) killed ??= service.end('SIGKILL')
  }
  const submitForEver = async () => {
    for (;;) {
      try {
        await submitOnce()
      } catch (err) {
        if (err instanceof NoResponseError && killed) return
        // On a busy machine the database may not respond in time.
        if (!(err instanceof JudgeApiError && err.status === 503)) throw err
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, submitForEver))
  await killed
  expect(violations).toEqual([])
  expect(accepted.length).toBeGreaterThanOrEqual(SUBMISSIONS)
  return accepted
}

const readPending = unprepared<{ id: string; is_queued: boolean }>(`select submissions.id::text,
          exists (select from outbox where outbox.subject_id = submissions.id) as is_queued
   from submissions
   where submissions.status = 'PENDING'`)

it('a service on the embedded database has stored and queued every submission with a 201 response when it is killed', async () => {
  const dataDir = await copyEmbeddedDatabase()
  const service = await startServiceProcess({ DATA_DIR: dataDir })
  const accepted = await submitUntilKilled(service)
  const database = await openPglite({ dataDir })
  const pending = await database.query(readPending).finally(() => database.close())
  const queued = new Set(pending.filter(({ is_queued }) => is_queued).map(({ id }) => id))
  expect(accepted.filter((id) => !queued.has(id))).toEqual([])
  expect(queued.size).toBe(pending.length)
})

let judging: ProblemService

const startInstance = () =>
  startServiceProcess({ DATABASE_URL: judging.service.databaseUrl ?? '', DATABASE_POOL_SIZE: '6' })

const REJUDGED = 20_000

const insertJudged =
  unprepared(`insert into submissions (id, user_id, problem_id, language_id, source_code, status)
   select gen_random_uuid(), $1::uuid, $2::integer, $3::uuid, 'rejudged', 'ACCEPTED'
   from generate_series(1, ${REJUDGED})`)

const selectRejudging = unprepared<{ status: string; queued: number }>(
  'select rejudgings.status, rejudgings.queued from rejudgings where rejudgings.id = $1::uuid',
)

const readRejudging = async (id: string) => (await judging.service.database.query(selectRejudging, [id]))[0]

const countRejudged =
  unprepared(`select count(*) filter (where submissions.status = 'PENDING')::integer as pending,
          count(*) filter (where submissions.attempt = 2)::integer as second
   from submissions
   where submissions.source_code = 'rejudged'`)

async function requestRejudging(instance: ServiceProcess | undefined, token: string, problem_id: number) {
  const response = await fetch(`${instance?.url}/v1/admin/rejudge`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ problem_id }),
  })
  const { id }: { id: string } = Object(await response.json())
  return { id, status: response.status }
}

// The embedded database has one process, and so one instance.
describe('two instances on PostgreSQL', onPostgres, () => {
  let instances: ServiceProcess[] = []
  beforeAll(async () => {
    judging = await serviceWithProblem()
    instances = await Promise.all([startInstance(), startInstance()])
  })
  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
    await judging?.service.close()
  })

  it('are killed during a long rejudging: the next one queues the rest, each submission once', async () => {
    const { service, admin, user, problem, language } = judging
    const { database } = service
    const judged = [user.id, problem.id, language.id] as const
    await database.query(insertJudged, judged)
    const [first] = instances
    const { id, status } = await requestRejudging(first, admin.token, problem.id)
    await Promise.all(instances.map((instance) => instance.end('SIGKILL')))
    expect([status, await readRejudging(id)]).toMatchObject([202, { status: 'QUEUEING' }])
    instances = await Promise.all([startInstance(), startInstance()])
    await expect.poll(() => readRejudging(id)).toMatchObject({ status: 'QUEUED', queued: REJUDGED })
    const [counts] = await database.query(countRejudged)
    expect(counts).toEqual({ pending: REJUDGED, second: REJUDGED })
  })
})
