import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import { createPolling, expectPresentTexts, openPolledWorld } from '../lists/polled-lists.ts'
import { nothingMade, writes } from '../lists/writes.ts'
import type { Caller } from '../support/caller.ts'
import { createContest, isoIn, setTimes } from '../support/contests.ts'
import { NO_PROBLEM, NOBODY } from '../support/ids.ts'
import { onPostgres } from '../support/needs.ts'
import { gate } from '../support/queue.ts'
import { forbidden, notFound, refusal } from '../support/refusals.ts'

const world = await openPolledWorld()
const { judging } = world
const { user, stranger, problem, admin } = judging
const { database } = judging.service

const pollAll = createPolling(world)
const made = nothingMade()
const RUNS = 2

const inEvent: { id: number }[] = await admin.get(`/v1/events/${world.eventId}/problems`)
const listProblems = () => [
  ...[problem.id, world.privateId, ...made.problems.slice(-3)].map((id) => `/v1/problems/${id}`),
  ...inEvent.map(({ id }) => `/v1/events/${world.eventId}/problems/${id}`),
]

async function expectPresent(after: string): Promise<void> {
  expect((await pollAll()).stale, after).toEqual([])
  await expectPresentTexts(world, listProblems(), after)
}

/** Expects that nothing is stale after any step. Returns the writes that succeeded. */
async function writeAll(steps: readonly (readonly [name: string, pick: number])[]): Promise<Set<string>> {
  const done = new Set<string>()
  await expectPresent('nothing')
  for (const [name, pick] of steps) {
    const { status, text } = (await writes[name]?.(world, made, pick)) ?? { status: 200, text: '' }
    expect(status, `${name}: ${text}`).toBeLessThan(500)
    if (status < 300) done.add(name)
    await expectPresent(name)
  }
  return done
}

const names = Object.keys(writes)

describe('no polled list or text of a problem is stale, and no entity tag stands for two contents,', () => {
  it('after each kind of write', async () => {
    const done = await writeAll(names.map((name, index) => [name, index] as const))
    expect([...done].sort()).toEqual(names.toSorted())
  })

  it('after writes in any order', async () => {
    const step = fc.tuple(fc.constantFrom(...names), fc.nat(1000))
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 12, maxLength: 12 }),
        async (steps) => void (await writeAll(steps)),
      ),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})

const ask = (by: Caller, url: string, tag?: string) =>
  by.send('GET', url, undefined, tag === undefined ? undefined : { 'if-none-match': tag })
const poll = (tag?: string) => ask(admin, '/v1/problems', tag)
const run = (script: string) => database.transaction((tx) => tx.execute(script))
const rename = unprepared(`update problems set title = $2 where problems.id = $1`)

const rolledBack = new Error('rolled back')

/** Renames a problem in a transaction that stays open until it is ended. */
async function renaming(id: number) {
  const written = gate()
  const ending = gate()
  let isKept = true
  const ended = database
    .transaction(async (tx) => {
      await tx.query(rename, [id, randomUUID()])
      written.open()
      await ending.passed
      if (!isKept) throw rolledBack
    })
    .catch((err: unknown) => {
      if (err !== rolledBack) throw err
    })
  await Promise.race([written.passed, ended])
  return {
    async end(outcome: 'commit' | 'roll back') {
      isKept = outcome === 'commit'
      ending.open()
      await ended
    },
  }
}

describe('of concurrent writes', onPostgres, () => {
  it('none waits for another, and each changes the version at its commit, in any order of commits', async () => {
    const tags = [(await poll()).headers.etag]
    const first = await renaming(problem.id)
    const second = await renaming(world.privateId)
    expect((await poll(tags[0])).status).toBe(304)
    for (const open of [second, first]) {
      await open.end('commit')
      const { status, headers } = await poll(tags.join(', '))
      expect(status).toBe(200)
      tags.push(headers.etag)
    }
    expect(new Set(tags).size).toBe(3)
  })

  it('one that is rolled back changes nothing', async () => {
    const first = await renaming(problem.id)
    const second = await renaming(world.privateId)
    await second.end('commit')
    const { headers } = await poll()
    await first.end('roll back')
    expect((await poll(headers.etag)).status).toBe(304)
  })
})

it('after the restore of a backup, no write gets an entity tag from before', async () => {
  const id = world.privateId
  const backedUp = (await poll()).headers.etag
  await run(
    `create table saved as select * from list_versions; create table saved_problems as select id, title from problems`,
  )
  await database.query(rename, [id, 'lost'])
  const lost = (await poll()).headers.etag
  await run(`
    update problems set title = saved_problems.title from saved_problems where saved_problems.id = problems.id;
    delete from list_versions;
    insert into list_versions select * from saved;`)
  expect((await poll(backedUp)).status).toBe(304)
  await database.query(rename, [id, 'written anew'])
  expect((await poll(`${backedUp}, ${lost}`)).status).toBe(200)
})

/** Starts a contest as the clock does: without a change of the versions. */
const startUnnoticed = (eventId: number) =>
  run(`create temporary table kept on commit drop as select * from list_versions;
    update events set start_time = now() - interval '1 second' where events.id = ${eventId};
    delete from list_versions;
    insert into list_versions select * from kept`)

it('the problems of a contest change at its start, without a write', async () => {
  const eventId = await createContest(judging, [{ problem_id: problem.id }])
  await setTimes(judging, eventId, 60, 120)
  const url = `/v1/events/${eventId}/problems`
  const before = await ask(stranger, url)
  expect(before.body[0].problem).toHaveProperty('prompt', '')
  expect((await ask(stranger, url, before.headers.etag)).status).toBe(304)
  await startUnnoticed(eventId)
  expect((await ask(stranger, url, before.headers.etag)).status).toBe(200)
  const after = await ask(stranger, url)
  expect(after.body[0].problem).toHaveProperty('prompt', expect.stringMatching(/./))
})

describe('of requests that change a contest', async () => {
  const url = `/v1/events/${world.eventId}`
  const [{ id }] = await admin.get(`${url}/problems`)
  const path = `${url}/problems/${id}`
  const readTags = async () => {
    const lists = [`${url}/standings`, `${url}/problems`, '/v1/public/events']
    const responses = await Promise.all(lists.map((list) => ask(stranger, list)))
    return [responses[0]?.body.at, ...responses.map(({ headers }) => headers.etag)]
  }
  const event = { title: 'Refused', start_time: isoIn(-1), end_time: isoIn(1) }
  const unknown = [{ problem_id: NO_PROBLEM }]

  it('refused ones change no entity tag, and not the time of the standings', async () => {
    const before = await readTags()
    await stranger.put(path, { label: 'X' }, forbidden)
    await stranger.delete(`${path}?force=true`, forbidden)
    await admin.delete(path, refusal(409, 'PROBLEM_HAS_SUBMISSIONS'))
    await stranger.post(`${url}/problems`, { problem_id: problem.id }, refusal(409, 'ALREADY_IN_EVENT'))
    await admin.put(url, { title: 'Refused', staff: [NOBODY] }, notFound('user'))
    await admin.post('/v1/events', { ...event, problems: unknown }, notFound('problem'))
    expect(await readTags()).toEqual(before)
  })

  it.each([
    ['an update changes them all', 0, () => admin.put(url, { title: 'Renamed' }, 200)],
    ['an update of a problem changes them all', 0, () => admin.put(path, { label: 'X' }, 200)],
    ['a creation does not change the standings', 2, () => admin.post('/v1/events', event, 201)],
  ])('%s', async (_, kept, change) => {
    const before = await readTags()
    await change()
    const same = (await readTags()).filter((tag) => before.includes(tag))
    expect(same).toEqual(before.slice(0, kept))
  })
})

const selectTriggers = unprepared<{ trigger: string }>(
  `select pg_trigger.tgname as trigger from pg_trigger where pg_trigger.tgname like '%_list_version%' order by pg_trigger.tgname`,
)

const insertScore = `insert into event_scores (event_id, user_id, problem_id, outcomes)
  values (${world.eventId}, '${user.id}', ${world.privateId}, '{"a": [0, "PENDING"]}')`
const insertParticipant = `insert into event_participants (event_id, user_id) values (${world.eventId}, '${stranger.id}')`
const acceptAll = `update event_scores set outcomes = '{"a": [0, "ACCEPTED"]}'`

/** All triggers that change versions, each with writes that no other trigger sees. */
const cases: [trigger: string, write: string][] = [
  ['problems_list_version', `update problems set title = title || '!'`],
  ['problems_list_version', 'delete from problem_categories'],
  ['categories_list_version', `update categories set name = name || '!'`],
  ['languages_list_version', `update languages set version = version || '!'`],
  ['available_languages_list_version', `update available_languages set names = names || '{java}'`],
  ['available_languages_list_version_emptied', 'truncate available_languages'],
  ['events_list_version', `update events set title = title || '!'`],
  ['events_list_version_contest', `update events set scoring = 'points'`],
  ['event_problems_list_version_contest', `update event_problems set label = 'Z'`],
  ['problems_list_version_contest', 'update problems set deleted_at = now()'],
  ['event_problems_list_version', 'update event_problems set memory_limit = memory_limit + 1'],
  ['event_problems_list_version_emptied', 'truncate event_problems'],
  ['event_participants_list_version', insertParticipant],
  ['event_participants_list_version', `update event_participants set user_id = '${user.id}'`],
  ['event_participants_list_version', 'delete from event_participants'],
  ['event_participants_list_version_people', insertParticipant],
  ['event_scores_list_version', insertScore],
  ['event_scores_list_version', acceptAll],
  ['event_scores_list_version_moved', `update event_scores set user_id = '${user.id}'`],
  ['event_scores_list_version_removed', 'delete from event_scores'],
  ['event_scores_list_version_emptied', 'truncate event_scores'],
  ['event_participants_list_version_emptied', 'truncate event_participants'],
  ['scoreboard_tokens_list_version', `update scoreboard_tokens set label = 'Hall'`],
  ['users_list_version', `update users set name = name || '!' where id = '${world.participant.id}'`],
]

/** Restores the rows that the cases change, and gives every list a new version. */
async function refill(): Promise<void> {
  await run(`
    insert into event_problems (event_id, problem_id)
    values (${world.eventId}, ${problem.id}), (${world.eventId}, ${world.privateId}) on conflict do nothing;
    delete from event_participants;
    delete from event_scores;
    insert into event_participants (event_id, user_id) values (${world.eventId}, '${world.participant.id}');
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    values (${world.eventId}, '${world.participant.id}', ${problem.id}, '{"b": [0, "PENDING"]}');
    insert into problem_categories (problem_id, category_id)
    values (${problem.id}, '${world.category.id}') on conflict do nothing;
    update event_problems set memory_limit = 77, label = null;
    update events set scoring = null;
    update problems set deleted_at = null;
    update scoreboard_tokens set label = null;
    insert into available_languages (names) values ('{c}')
    on conflict (single) do update set names = excluded.names;
    select change_list_version('all');`)
}

describe('the versions of lists', () => {
  it.each(cases)('change with trigger %s, and only with it (case %$)', async (trigger, write) => {
    const [table] = trigger.split('_list_version')
    const findStale = async () => {
      const pollFew = createPolling(world, 'few')
      await refill()
      expect((await pollFew()).stale).toEqual([])
      await run(write)
      return (await pollFew()).stale
    }
    expect(await findStale()).toEqual([])
    await run(`alter table ${table} disable trigger ${trigger}`)
    onTestFinished(async () => void (await run(`alter table ${table} enable trigger ${trigger}`)))
    expect(await findStale()).not.toEqual([])
  })

  it('change with each migration, which may change any list', async () => {
    const before = await pollAll()
    await run('insert into schema_versions (version) values (999999)')
    const { tags } = await pollAll()
    expect([...before.tags].filter((tag) => tags.has(tag))).toEqual([])
  })

  it('have no trigger without a case', async () => {
    const rows = await database.query(selectTriggers)
    const tried = new Set([...cases.map(([trigger]) => trigger), 'schema_versions_list_version'])
    expect(rows.map((row) => row.trigger)).toEqual([...tried].sort())
  })
})
