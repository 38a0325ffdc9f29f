import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { unprepared } from '../../src/db/statement.ts'
import { createEventSubmission } from '../../src/features/submissions/create-sql.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import type { Person } from '../support/app.ts'
import { isoIn, serviceWithContests } from '../support/contests.ts'
import { submissionBody } from '../support/judging.ts'
import { onPostgres } from '../support/needs.ts'
import { expectRecounted } from '../support/recount.ts'

const contests = await serviceWithContests()
const { admin, problem, service, createEvent } = contests
const { database, databaseUrl = '' } = service

// The commit of a submission takes 10 ms, as on a disk.
const slowCommits = [
  `create function commit_slowly() returns trigger
   language plpgsql as $$ begin perform pg_sleep(0.01); return null; end $$`,
  `create constraint trigger slow_commit after insert on submissions
   deferrable initially deferred for each row execute function commit_slowly()`,
]

describe('while 40 people submit with commits of 10 ms', onPostgres, () => {
  beforeAll(async () => {
    for (const statement of slowCommits) await database.query(unprepared(statement))
  })
  afterAll(async () => {
    await database.query(unprepared('drop trigger slow_commit on submissions'))
    await database.query(unprepared('drop function commit_slowly'))
  })

  it.each([
    ['ending', 'POST', '/end', undefined],
    ['extending', 'PUT', '', { end_time: isoIn(120) }],
  ] as const)('%s the contest waits for few submissions of each', async (_, method, path, body) => {
    const crowd = await Promise.all(Array.from({ length: 40 }, () => service.createPerson()))
    const eventId = await createEvent({ problems: [{ problem_id: problem.id }] })
    const crowded = submitTogether(crowd, eventId)
    await crowded.untilStored(80)
    const before = crowded.countStored()
    expect(await admin.send(method, `/v1/events/${eventId}${path}`, body)).toMatchObject({ status: 200 })
    expect(crowded.countStored() - before).toBeLessThan(10 * crowd.length)
    await crowded.stop()
    await expectRecounted(service, eventId)
  })

  /** Each person submits again and again over their own connection, until `stop`. */
  function submitTogether(crowd: readonly Person[], eventId: number) {
    const limits = { statementTimeoutMs: 20_000, connectTimeoutMs: 10_000 }
    const connections = openPostgres({ url: databaseUrl, poolSize: crowd.length, ...limits })
    let isOver = false
    let stored = 0
    const load = crowd.map(async (person) => {
      const db = new ActorDatabase(connections, { id: person.id, role: 0, sessionVersion: 1 })
      const body = { ...submissionBody(person, problem, contests.language), event_id: eventId }
      while (!isOver) {
        await db.query(createEventSubmission, { ...body, id: uuidv7() })
        stored += 1
      }
    })
    return {
      countStored: () => stored,
      untilStored: (count: number) =>
        expect.poll(() => stored, { interval: 10 }).toBeGreaterThanOrEqual(count),
      async stop() {
        isOver = true
        await Promise.all(load)
        await connections.close()
      },
    }
  }
})
