import { describe, expect, it } from 'vitest'
import { statement } from '../../src/db/database.ts'
import { createMemory, openPolledWorld, type PolledWorld, pollAll } from './polled-lists.ts'

const world = await openPolledWorld()

const run = (script: string) => world.judging.service.database.transaction((tx) => tx.execute(script))

const selectTriggers = statement<{ trigger: string }>(
  '',
  `select pg_trigger.tgname as trigger from pg_trigger where pg_trigger.tgname like '%_list_version%' order by pg_trigger.tgname`,
)

/** Every trigger that keeps the versions of lists, with a write that only it sees. */
const cases: [trigger: string, table: string, write: (world: PolledWorld) => string][] = [
  ['problems_list_version', 'problems', () => `update problems set title = title || '!'`],
  ['problem_categories_list_version', 'problem_categories', () => 'delete from problem_categories'],
  ['categories_list_version', 'categories', () => `update categories set name = name || '!'`],
  ['languages_list_version', 'languages', () => `update languages set version = version || '!'`],
  ['events_list_version', 'events', () => `update events set title = title || '!'`],
  ['event_problems_list_version', 'event_problems', () => 'update event_problems set memory_limit = 77'],
  [
    'event_participants_list_version_added',
    'event_participants',
    ({ eventId, judging }) =>
      `insert into event_participants (event_id, user_id) values (${eventId}, '${judging.stranger.id}')`,
  ],
  [
    'event_participants_list_version_changed',
    'event_participants',
    ({ judging }) =>
      `update event_participants set user_id = '${judging.user.id}' where user_id = '${judging.stranger.id}'`,
  ],
  [
    'event_participants_list_version_removed',
    'event_participants',
    ({ judging }) => `delete from event_participants where user_id = '${judging.user.id}'`,
  ],
  [
    'event_scores_list_version_added',
    'event_scores',
    ({ eventId, judging, privateId }) =>
      `insert into event_scores (event_id, user_id, problem_id, outcomes) values (${eventId}, '${judging.user.id}', ${privateId}, '{"a": [0, "PENDING"]}')`,
  ],
  [
    'event_scores_list_version_changed',
    'event_scores',
    () => `update event_scores set outcomes = '{"a": [0, "ACCEPTED"]}'`,
  ],
  ['event_scores_list_version_removed', 'event_scores', () => 'delete from event_scores'],
  ['event_scores_list_version_emptied', 'event_scores', () => 'truncate event_scores'],
  ['event_participants_list_version_emptied', 'event_participants', () => 'truncate event_participants'],
]

/** Puts back what a case wants to find, its lists new to everybody. */
async function refill({ eventId, participant, judging, category }: PolledWorld): Promise<void> {
  await run(`
    insert into event_participants (event_id, user_id) values (${eventId}, '${participant.id}') on conflict do nothing;
    insert into event_scores (event_id, user_id, problem_id, outcomes)
    values (${eventId}, '${participant.id}', ${judging.problem.id}, '{"b": [0, "PENDING"]}') on conflict do nothing;
    insert into problem_categories (problem_id, category_id)
    values (${judging.problem.id}, '${category.id}') on conflict do nothing;
    select change_list_version('all');`)
}

describe('the versions of lists', () => {
  it.each(cases)(
    'are stale without %s, and this very test sees it; with it they are not',
    async (trigger, table, write) => {
      const memory = createMemory()
      await refill(world)
      memory.findStale(await pollAll(world))
      await run(`alter table ${table} disable trigger ${trigger}`)
      await run(write(world))
      expect(memory.findStale(await pollAll(world))).not.toEqual([])
      await run(`alter table ${table} enable trigger ${trigger}`)

      const again = createMemory()
      await run('delete from event_participants; delete from event_scores')
      await refill(world)
      if (trigger.endsWith('_changed') && table === 'event_participants')
        await run(cases[6]?.[2](world) ?? '')
      again.findStale(await pollAll(world))
      await run(write(world))
      expect(again.findStale(await pollAll(world))).toEqual([])
    },
  )

  it('are new after each migration: it may change what a list is made by', async () => {
    const before = await pollAll(world)
    await run('insert into schema_versions (version) values (999999)')
    const tags = new Set((await pollAll(world)).map(({ tag }) => tag))
    expect(before.filter(({ tag }) => tags.has(tag))).toEqual([])
  })

  it('have no trigger that is not tried here', async () => {
    const rows = await world.judging.service.database.query(selectTriggers)
    const tried = [...cases.map(([trigger]) => trigger), 'schema_versions_list_version']
    expect(rows.map((row) => row.trigger)).toEqual(tried.toSorted())
  })
})
