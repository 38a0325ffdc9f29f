import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Change, ChangeBatch } from '../../src/changes/change.ts'
import { ChangeLog } from '../../src/changes/change-log.ts'
import { createPositionTokens } from '../../src/changes/position.ts'
import { forgetOldChanges } from '../../src/changes/upkeep.ts'
import type { Queryable } from '../../src/db/database.ts'
import { unprepared } from '../../src/db/statement.ts'
import { running, serviceWithContests } from '../support/contests.ts'
import { databaseKind } from '../support/database.ts'
import { keepLog } from '../support/queue.ts'
import { randomNumbers } from '../support/random-numbers.ts'

const contests = await serviceWithContests()
const { service, admin, user, createEvent, createParticipant } = contests
const { config, database } = service

const openLog = () => new ChangeLog({ database, config, logger: keepLog() })

const run = (sql: string, ...values: (string | number)[]) => database.query(unprepared(sql), values)

function reader() {
  const seen: Change[] = []
  const positions: string[] = []
  return {
    seen,
    read(batch: ChangeBatch) {
      seen.push(...batch.changes)
      positions.push(batch.position)
    },
    position: () => positions.at(-1),
    of: (kind: string, id: unknown) =>
      seen.filter((change) => change.kind === kind && change.objectId === id),
  }
}

/** Changes after `work`, as a follower and as `since` tell them. */
async function changesOf(work: () => Promise<unknown>, isDone: (seen: readonly Change[]) => boolean) {
  const log = openLog()
  const follower = reader()
  const { position } = await log.follow(follower.read)
  await work()
  await expect.poll(() => isDone(follower.seen)).toBe(true)
  const again = await log.since(position)
  await log.stop()
  expect(again?.changes.map(briefly).sort()).toEqual(follower.seen.map(briefly).sort())
  return follower.seen
}

const briefly = ({ kind, eventId, objectId, isReset }: Change) =>
  [kind, eventId, objectId, ...(isReset ? ['reset'] : [])].join(' ')

const { problem, language } = contests
const submitTo = (event_id: number, person: { id: string; post: typeof user.post }) => {
  const ids = { user_id: person.id, problem_id: problem.id, language_id: language.id, event_id }
  return person.post('/v1/submissions', { ...ids, source_code: 'a program' })
}

describe('the change log (P25)', () => {
  it('names a submission, its owner and its present status after each write of its status', async () => {
    const event = await createEvent({ ...running(), problems: [{ problem_id: problem.id }] })
    const person = await createParticipant(event)
    let id = ''
    const seen = await changesOf(
      async () => {
        id = (await submitTo(event, person)).id
        await service.judge.patch(`/v1/submissions/${id}`, { status: 'ACCEPTED' }, 204)
        await service.judge.patch(`/v1/submissions/${id}`, { status: 'ACCEPTED' }, 204)
      },
      (changes) => changes.filter(({ kind }) => kind === 'judging').length === 2,
    )
    expect(seen.map(({ kind }) => kind).filter((kind) => kind === 'submission')).toHaveLength(1)
    const last = seen.filter(({ kind }) => kind === 'judging').at(-1)
    const flags = { isReset: false, isForJury: false, status: 'ACCEPTED' }
    expect(last).toEqual({ kind: 'judging', eventId: event, objectId: id, userIds: [person.id], ...flags })
  })

  it('names the recipients of a notification, and the reader of it', async () => {
    const event = await createEvent({ ...running(), clarifications: 'staff' })
    const people = [await createParticipant(event), await createParticipant(event)]
    const seen = await changesOf(
      async () => {
        await admin.post(`/v1/events/${event}/announcements`, { announcement: 'Lunch' }, 201)
        await people[0]?.put('/v1/user/notifications/mark-read', {})
      },
      (changes) => changes.filter(({ kind }) => kind === 'notification').length === 2,
    )
    const [added, read] = seen.filter(({ kind }) => kind === 'notification')
    expect(added?.userIds?.toSorted()).toEqual(people.map(({ id }) => id).sort())
    expect(read).toMatchObject({ objectId: null, userIds: [people[0]?.id] })
    expect(seen.map(({ kind }) => kind)).toContain('question')
  })

  it('refuses a position that is foreign, from the future or older than the retention', async () => {
    const log = openLog()
    const tokens = createPositionTokens(config.secrets.jwtSigning)
    const present = await log.readPresent()
    const position = tokens.read(present)
    if (position === undefined) throw new Error('the log has written the position')
    const { atSeconds } = position
    expect(await log.since(present)).toMatchObject({ changes: [], sinceSeconds: atSeconds })
    const others = [
      { ...position, database: `0${position.database.slice(1)}1` },
      { ...position, atSeconds: atSeconds + 100 },
      { ...position, atSeconds: atSeconds - 24 * 3600 - 5 },
      { ...position, snapshot: '1:9223372036854775807:' },
    ].map(tokens.write)
    const ofOtherSecret = createPositionTokens('another secret').write(position)
    for (const token of [...others, ofOtherSecret, '', 'x', present.slice(4), 'x'.repeat(9000)])
      expect(await log.since(token), token).toBeUndefined()
  })

  it('writes positions that do not tell whether or how much was written', async () => {
    const log = openLog()
    const present = await log.readPresent()
    const again = log.renew(present)
    await createEvent()
    const later = await log.readPresent()
    expect(new Set([present, again, later]).size).toBe(3)
    expect(new Set([present, again, later].map(({ length }) => length)).size).toBe(1)
    for (const token of [present, again])
      expect((await log.since(token))?.changes.map(({ kind }) => kind)).toContain('contest')
    expect((await log.since(later))?.changes).toEqual([])
    expect(Buffer.from(present, 'base64url').toString('latin1')).not.toMatch(/:\d+:/)
  })

  it('tells a reader that missed too many changes to read everything again', async () => {
    const log = openLog()
    const present = await log.readPresent()
    await run(`insert into changes (kind, event_id) select 'contest', $1 from generate_series(1, 20001)`, 7)
    expect(await log.since(present, 8)).toMatchObject({ changes: [] })
    for (const eventId of [7, undefined]) {
      const batch = await log.since(present, eventId)
      expect(batch?.changes).toMatchObject([{ kind: 'contest', eventId: null, isReset: true }])
      expect(await log.since(batch?.position ?? '')).toMatchObject({ changes: [] })
    }
  })

  it('deletes changes after the retention, in batches, and no younger ones', async () => {
    await run('delete from changes')
    await run(`insert into changes (kind) select 'user' from generate_series(1, 11000)`)
    const [{ young } = { young: 0 }] = await run('select count(*)::integer as young from changes')
    await forgetOldChanges(database, 24)
    expect(await run('select count(*)::integer as young from changes')).toEqual([{ young }])
    await run(
      `update changes set created_at = now() - interval '25 hours' where id in (select id from changes order by id limit 10500)`,
    )
    await forgetOldChanges(database, 24)
    expect(await run('select count(*)::integer as left from changes')).toEqual([
      { left: Number(young) - 10_500 },
    ])
  })

  it('stops reading with its last follower', async () => {
    const log = openLog()
    const follower = reader()
    const following = await log.follow(follower.read)
    following.stop()
    await createEvent()
    const next = reader()
    const { position } = await log.follow(next.read)
    const id = await createEvent()
    await expect.poll(() => next.seen.map(({ eventId }) => eventId)).toContain(id)
    expect(follower.seen).toEqual([])
    expect((await log.since(position))?.changes.map(({ eventId }) => eventId)).toContain(id)
    await log.stop()
  })
})

it.each([1, 2, 3])(
  'with concurrent writers shows every reader every committed change and the last state of each object: seed %i',
  async (seed) => {
    const event = await createEvent({ ...running(), problems: [{ problem_id: problem.id }] })
    const person = await createParticipant(event)
    const ids: string[] = []
    for (let count = 0; count < 8; count += 1) ids.push((await submitTo(event, person)).id)
    ids.sort()
    const random = randomNumbers(seed)
    const logs = [openLog(), openLog()]
    const followers = await Promise.all(
      logs.map(async (log) => {
        const follower = reader()
        const { position } = await log.follow(follower.read)
        return { follower, position }
      }),
    )
    let isWriting = true
    const position = await openLog().readPresent()
    const resuming = resumeOften(position, () => isWriting)

    const writers = Array.from({ length: 8 }, () => writeOften(ids, random, () => logs[0]?.wake()))
    const committed = countIds((await Promise.all(writers)).flat(), ids)
    isWriting = false
    const resumed = await resuming

    const stored = await database.query(selectStatuses, [ids])
    const present = new Map(stored.map(({ id, status }) => [id, status]))
    for (const { follower } of followers) {
      await expect.poll(() => countOf(follower.seen, ids)).toEqual(committed)
      for (const id of ids)
        expect(follower.of('judging', id).at(-1)?.status ?? present.get(id)).toBe(present.get(id))
    }
    // It begins before the writers, and resumes from each of its positions.
    expect(countOf(resumed, ids)).toEqual(committed)
    await Promise.all(logs.map((log) => log.stop()))
  },
)

const selectStatuses = unprepared<{ id: string; status: string }>(
  'select id, status from submissions where id = any($1::uuid[])',
)

class RolledBack extends Error {}

/** Writes statuses in 12 transactions, of which some are rolled back; returns the committed ids. */
async function writeOften(ids: readonly string[], random: (below: number) => number, wake: () => void) {
  const committed: string[] = []
  const write = async (tx: Queryable) => {
    const first = random(ids.length)
    const touched = ids.slice(first, first + 1 + random(3))
    for (const id of touched) {
      const status = `STATUS_${random(1_000_000)}`
      await tx.query(unprepared('update submissions set status = $2 where id = $1::uuid'), [id, status])
      if (databaseKind === 'postgres') await tx.query(unprepared('select pg_sleep($1)'), [random(20) / 1000])
    }
    return touched
  }
  for (let count = 0; count < 12; count += 1) {
    const isRolledBack = random(4) === 0
    const writing = database.transaction(async (tx) => {
      const written = await write(tx)
      if (isRolledBack) throw new RolledBack()
      return written
    })
    const touched = await writing.catch((err: unknown) => {
      if (err instanceof RolledBack) return []
      throw err
    })
    committed.push(...touched)
    if (random(3) === 0) wake()
  }
  return committed
}

const countIds = (found: readonly string[], ids: readonly string[]) =>
  new Map(ids.map((id) => [id, found.filter((one) => one === id).length]))

const countOf = (seen: readonly Change[], ids: readonly string[]) =>
  countIds(
    seen.flatMap(({ kind, objectId }) => (kind === 'judging' ? String(objectId) : [])),
    ids,
  )

/** Reads with `since` alone, from position to position, on an instance of its own each time. */
async function resumeOften(start: string, isWriting: () => boolean): Promise<readonly Change[]> {
  let position = start
  const seen: Change[] = []
  for (let isLast = false; ; ) {
    const batch = await openLog().since(position)
    if (batch === undefined) throw new Error('the position is known')
    seen.push(...batch.changes)
    position = batch.position
    if (isLast) return seen
    isLast = !isWriting()
    await setImmediate()
  }
}
