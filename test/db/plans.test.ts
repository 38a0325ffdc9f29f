import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import type { Database, Queryable } from '../../src/db/database.ts'
import { findAccount, followProvider, requestReset, resetPassword } from '../../src/features/accounts/sql.ts'
import * as problems from '../../src/features/problems/sql.ts'
import { findMissing, rejudge } from '../../src/features/rejudging/sql.ts'
import { createRun, readRun, storeRunVerdict } from '../../src/features/runs/sql.ts'
import * as submissions from '../../src/features/submissions/sql.ts'
import { listVerdicts } from '../../src/features/submissions/verdict-sql.ts'
import { deleteUser, listUsers, readUser, updateUser } from '../../src/features/users/sql.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import { createOnce, forgetOldAnswers } from '../../src/http/routing/idempotency.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import { createInProcessBroker } from '../../src/queue/in-process.ts'
import { claimMessages, deleteMessages, extendLeases } from '../../src/queue/outbox.ts'
import { startRecovery } from '../../src/queue/recovery.ts'
import { openTestDatabase } from '../support/database.ts'
import { keepLog, WITHIN } from '../support/queue.ts'
import { type Case, fillTables, findWholeScans, idOf, PLAN_MODES, ROWS, versionOf } from './plans-support.ts'

const test = await openTestDatabase()
await test.database.transaction(fillTables)

/** A user with one submission, one with 500, an admin and a judge, as guarded statements are told of them. */
const fewUser = idOf(33_333)
const busyUser = idOf(7)
const admin = idOf(1)
const asUser = [fewUser, 0, 1] as const
const asBusyUser = [busyUser, 0, 1] as const
const asAdmin = [admin, 2, 1] as const
const asJudge = [NIL_UUID, 1, 1] as const

const instant = String(Date.now() * 1000 - 3_600_000_000)
const middle = idOf(ROWS / 2)
const fresh = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
const language = idOf(3)

const accounts: Case[] = [
  [readUser, [...asUser, middle]],
  [findAccount, ['USER777@example.org']],
  [followProvider, ['provider:777', 'User 778', 'new@example.org', null, fresh, false]],
  [requestReset, ['user777@example.org', 'hash']],
  [resetPassword, ['user777@example.org', 'hash', 'hash', false]],
  [resetPassword, ['user777@example.org', null, 'hash', true]],
  [updateUser, [fewUser, 'New', null, false]],
  [deleteUser, [fewUser]],
  [listUsers.first, [...asAdmin, null, 20]],
  [listUsers.after, [...asAdmin, null, 20, middle]],
]

const tested = [idOf(1), idOf(2), idOf(3)]
const judging: Case[] = [
  [submissions.createSubmission, [...asUser, fresh, fewUser, 77, language, 'print(3)']],
  [submissions.readSubmission, [...asJudge, middle]],
  [submissions.readStatus, [...asUser, middle]],
  [
    submissions.storeVerdict,
    [...asJudge, middle, 'WRONG_ANSWER', '', '', 0.5, tested[0] ?? '', '[]', tested, null],
  ],
  [listVerdicts.whole, [...asUser, middle]],
  [listVerdicts.first, [...asUser, middle, 20]],
  [listVerdicts.after, [...asUser, middle, 20, ROWS]],
  [submissions.listUserSubmissions.whole, [...asUser, fewUser]],
  [submissions.listUserSubmissions.first, [...asBusyUser, busyUser, 20]],
  [submissions.listUserSubmissions.after, [...asBusyUser, busyUser, 20, instant, middle]],
  [submissions.listUserProblemSubmissions.whole, [...asUser, fewUser, 334]],
  [submissions.listUserProblemSubmissions.first, [...asBusyUser, busyUser, 13, 20]],
  [submissions.listUserProblemSubmissions.after, [...asBusyUser, busyUser, 13, 20, instant, middle]],
  [createRun, [...asUser, fresh, 'user', fewUser, language, 'print(3)', '']],
  [createRun, [null, 0, null, fresh, 'public', null, language, 'print(3)', '']],
  [readRun, [...asUser, middle, 'user']],
  [readRun, [...asJudge, middle, null]],
  [storeRunVerdict, [...asJudge, middle, 'ACCEPTED', '', '', 0.5, 1]],
]

const rejudging: Case[] = [
  [findMissing(['submission_id', 'problem_id', 'event_id']), [...asAdmin, middle, 77, 7]],
  [rejudge(['submission_id']), [...asAdmin, middle, null, null]],
  [rejudge(['problem_id']), [...asAdmin, 77, null, null]],
  [rejudge(['problem_id']), [...asAdmin, 77, middle, new Date().toISOString()]],
  [rejudge(['user_id']), [...asAdmin, fewUser, null, null]],
  [rejudge(['user_id', 'problem_id']), [...asAdmin, busyUser, 13, middle, null]],
]

const words = ['Sum', 'sum', 'Add.', '', 'EASY', true, null, 10, 5, 256] as const
const cases = [['1'], ['3'], [false]] as const
const writing: Case[] = [
  [problems.createProblem, [admin, ...words, [], [fresh], ...cases]],
  [problems.lockProblem, [777]],
  [problems.updateProblem, [777, ...words, admin]],
  [problems.replaceCategories, [777, []]],
  [problems.replaceTestCases, [7, tested.slice(0, 1), [fresh], ...cases]],
  [problems.toggleVisibility, [777]],
  [problems.deleteProblem, [777]],
  [problems.deleteCategory, [fresh]],
]
const reading: Case[] = [
  [problems.readProblem, [...asUser, 777]],
  [problems.readProblemTests, [...asJudge, 777]],
  [versionOf(problems.listProblems), asUser],
  [versionOf(problems.listProblems), asAdmin],
  [problems.listProblems.first, [...asUser, 20]],
  [problems.listProblems.first, [...asAdmin, 20]],
  [problems.listProblems.after, [...asUser, 20, ROWS / 2]],
  [problems.listProblemCategories.whole, [...asUser, 777]],
  [problems.listProblemCategories.first, [...asUser, 777, 20]],
  [problems.listProblemCategories.after, [...asUser, 777, 20, 'Graphs']],
]

/** Asks a database, and keeps what it was asked. */
function recording(database: Queryable, sent: Case[]): Queryable {
  return {
    query: (statement, values = []) => {
      sent.push([statement, values])
      return database.query(statement, values)
    },
  }
}

/** The statements that their modules keep to themselves, as they are sent to the database. */
async function recordStatements(): Promise<Case[]> {
  const sent: Case[] = []
  const queryable = recording(test.database, sent)
  const claims = { id: fewUser, role: 2, sessionVersion: 1 } as const
  await ActorDatabase.ofAdmin({ ...test.database, ...queryable }, claims)
  const messages = await claimMessages(queryable, 50, 10)
  await extendLeases(queryable, messages, 10)
  const ids = messages.map(({ outboxId }) => outboxId)
  await deleteMessages(queryable, ids)
  expect(ids).toHaveLength(50)
  return sent
}

/** What remembers and forgets answers, and what finds lost work, as they are sent to the database. */
async function recordUpkeep(): Promise<Case[]> {
  const sent: Case[] = []
  const database: Database = {
    ...test.database,
    ...recording(test.database, sent),
    transaction: (work) => test.database.transaction((tx) => work({ ...tx, ...recording(tx, sent) })),
  }
  const db = new ActorDatabase(database)
  const key = randomUUID()
  for (let n = 0; n < 2; n += 1)
    await createOnce(db, 'public', { key, requestHash: 'hash' }, async () => 'answer')
  await forgetOldAnswers(database)
  const broker = createInProcessBroker()
  const options = { database, broker, logger: keepLog(), requeueAfterMs: 20, wakeRelay() {} }
  const recovery = startRecovery(options)
  await vi
    .waitFor(() => expect(sent.map(([{ name }]) => name)).toContain('requeue_lost_runs'), WITHIN)
    .finally(() => recovery.stop())
  return [...new Map(sent.map((one) => [one[0].name, one])).values()]
}

describe.each(PLAN_MODES)(`on ${ROWS} rows in every growing table, %s`, (mode) => {
  it.each([
    ['of accounts', accounts],
    ['of submissions and runs', judging],
    ['that judge again', rejudging],
    ['that write problems', writing],
    ['that read problems', reading],
  ])('no hot statement %s scans a growing table', async (_, statements) => {
    await test.database.transaction(async (tx) => {
      expect(await findWholeScans(tx, statements, mode)).toEqual([])
    })
  })

  it('neither authentication nor the outbox scans a growing table', async () => {
    const statements = await recordStatements()
    const names = statements.map(([{ name }]) => name)
    expect(names).toEqual(['read_account', 'claim_outbox_rows', 'set_outbox_leases', 'delete_outbox_rows'])
    await test.database.transaction(async (tx) => {
      expect(await findWholeScans(tx, statements, mode)).toEqual([])
    })
  })
})

describe.each(PLAN_MODES)(`on ${ROWS} rows in every growing table, %s`, (mode) => {
  it('neither the memory of answers nor the search for lost work scans a growing table, but for the outbox at each look', async () => {
    const statements = await recordUpkeep()
    const names = statements.map(([{ name }]) => name)
    expect(names).toEqual([
      'claim_idempotency_key',
      'keep_idempotent_answer',
      'read_idempotent_answer',
      'forget_idempotent_answers',
      'read_outbox_age',
      'requeue_lost_submissions',
      'requeue_lost_runs',
    ])
    const others = statements.filter(([{ name }]) => name !== 'read_outbox_age')
    await test.database.transaction(async (tx) => {
      expect(await findWholeScans(tx, others, mode)).toEqual([])
    })
  })
})

describe('without an index this very test refuses', () => {
  const rolledBack = new Error('rolled back')

  it.each([
    ['submissions_user, submissions_user_problem', 'list_user_submissions_first', 'on submissions'],
    ['test_cases_problem_id', 'read_problem_tests', 'Seq Scan on test_cases'],
    ['users_email_key', 'find_account', 'Seq Scan on users'],
    ['users_admins', 'delete_user', 'on users'],
    ['verdicts_submission_id', 'list_verdicts_first', 'Seq Scan on verdicts'],
  ])('%s: %s', async (indexes, name, scan) => {
    const hot = [...accounts, ...judging, ...rejudging, ...reading].filter(
      ([statement]) => statement.name === name,
    )
    const work = test.database.transaction(async (tx) => {
      await tx.execute(`drop index ${indexes}`)
      for (const mode of PLAN_MODES) {
        expect(await findWholeScans(tx, hot, mode)).toContainEqual(expect.stringContaining(scan))
      }
      throw rolledBack
    })
    await expect(work).rejects.toBe(rolledBack)
  })
})
