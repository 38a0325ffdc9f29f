import { beforeAll, describe, expect, it } from 'vitest'
import type { Transaction } from '../../src/db/database.ts'
import { openTestDatabase, type TestDatabase } from '../support/database.ts'
import { onPostgres } from '../support/needs.ts'
import { batchOf, type Case, findWholeScans, listNodes, PLAN_MODES } from './explain.ts'
import { fillTables } from './filled-tables.ts'
import { cases, exempt, statements, workReaders } from './plan-cases.ts'

function find(name: string): Case {
  const found = cases.find(([statement]) => statement.name === name)
  if (found === undefined) throw new Error(`${name} is not checked`)
  return found
}

it('every statement that is exempt exists', () => {
  expect(statements.size).toBeGreaterThan(300)
  expect([...statements.keys()]).toEqual(expect.arrayContaining(Object.keys(exempt)))
})

describe('with 100,000 users and a contest of 60,000 submissions', onPostgres, () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await openTestDatabase()
    await fillTables(test.database)
  })

  const within = <T>(work: (tx: Transaction) => Promise<T>) => test.database.transaction(work)

  describe.each(PLAN_MODES)('%s', (mode) => {
    it('no statement scans a growing table', async () => {
      expect(await within((tx) => findWholeScans(tx, cases, mode))).toEqual([])
    })

    it('no batch of a statement scans a growing table', async () => {
      const batches = cases.flatMap(batchOf)
      expect(batches.length).toBeGreaterThan(20)
      expect(await within((tx) => findWholeScans(tx, batches, mode))).toEqual([])
    })

    it.each(workReaders)('$name scans only waiting work', async (statement, values, expected) => {
      const scans = await within((tx) => findWholeScans(tx, [[statement, values]], mode))
      expect(new Set(scans)).toEqual(new Set(expected.map((scan) => `${statement.name} {}: ${scan}`)))
    })

    it('no statement of the standings reads a submission [GET /v1/events/{id}/attempts]', async () => {
      const ofStandings =
        /^list_(attempts|own_problem|problem_stats)|^read_attempts_of|^read_.*(standings|board)_(csv_)?by|reveal_cell/
      for (const one of cases.filter(([{ name }]) => ofStandings.test(name))) {
        const [{ name }] = one
        const nodes = await within((tx) => listNodes(tx, one, mode))
        const tables = nodes.map((node) => node['Relation Name'])
        expect(tables, name).not.toContain('submissions')
        expect(tables.includes('event_scores'), name).toBe(!/_version(_of_viewers)?$/.test(name))
      }
    })

    it.each(['list_participants_first', 'list_participants_after'])(
      '%s reads an index in its order, without sorting (D6)',
      async (name) => {
        const nodes = await within((tx) => listNodes(tx, find(name), mode))
        expect(nodes.map((node) => node['Index Name'])).toContain('event_participants_joined')
        expect(nodes.map((node) => node['Node Type'])).not.toContainEqual(expect.stringContaining('Sort'))
      },
    )

    async function scansOfNotifications(name: string): Promise<string[]> {
      const nodes = await within((tx) => listNodes(tx, find(name), mode))
      return nodes.flatMap((node) => {
        const { 'Node Type': type, 'Relation Name': table, 'Index Name': index } = node
        const isScan =
          type !== 'ModifyTable' && (table === 'notifications' || index?.startsWith('notifications_'))
        return isScan ? [index === undefined ? type : `${type} of ${index}`] : []
      })
    }

    it('count_unread counts by an index, and reads unread notifications only where a contest hides questions [GET /v1/user/notifications/count]', async () => {
      expect((await scansOfNotifications('count_unread')).sort()).toEqual([
        'Bitmap Heap Scan',
        'Bitmap Index Scan of notifications_unread',
        'Index Only Scan of notifications_unread',
      ])
    })

    it.each(['list_notifications_whole', 'list_notifications_first'])(
      '%s reads only the caller’s notifications, by two indexes',
      async (name) => {
        expect(await scansOfNotifications(name)).toEqual([
          'Bitmap Heap Scan',
          'Bitmap Index Scan of notifications_unread',
          'Bitmap Index Scan of notifications_read',
        ])
      },
    )

    it('mark_read finds unread notifications by their index', async () => {
      const scans = await scansOfNotifications('mark_read')
      expect(scans).toContainEqual(expect.stringContaining('of notifications_unread'))
      expect(scans).not.toContain('Seq Scan')
    })

    it.each([
      ['submissions_user, submissions_user_problem', 'list_user_submissions_first', 'on submissions'],
      ['test_cases_problem_id', 'read_problem_tests', 'Seq Scan on test_cases'],
      ['users_email_folded_key', 'find_account', 'Seq Scan on users'],
      ['users_admins', 'delete_user', 'on users'],
      ['verdicts_submission_id', 'list_verdicts_first', 'Seq Scan on verdicts'],
      ['submissions_event, submissions_event_user', 'list_event_submissions_first', 'on submissions'],
      ['events_start', 'list_events_first', 'on events'],
      ['questions_event', 'list_questions_first', 'on questions'],
      ['notifications_read', 'list_notifications_first', 'on notifications'],
      ['event_participants_team_id', 'read_team', 'on event_participants'],
    ])('without %s, this test finds the scan of %s', async (indexes, name, scan) => {
      const dropped = cases.filter(([statement]) => statement.name === name)
      const rolledBack = new Error('rolled back')
      const work = within(async (tx) => {
        await tx.execute(`drop index ${indexes}`)
        const scans = await findWholeScans(tx, dropped, mode)
        expect(scans.filter((found) => found.endsWith(scan))).not.toEqual([])
        throw rolledBack
      })
      await expect(work).rejects.toBe(rolledBack)
    })
  })
})
