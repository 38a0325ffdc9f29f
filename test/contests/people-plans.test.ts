import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../src/db/database.ts'
import { answerQuestion, askQuestion, listQuestions } from '../../src/features/clarifications/sql.ts'
import { countUnread, listNotifications, markRead } from '../../src/features/notifications/sql.ts'
import * as teams from '../../src/features/teams/sql.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import { LARGE, LARGE_PARTICIPANTS, teamOf } from '../db/fill-contests.ts'
import { type Case, fillTables, findWholeScans, idOf, PLAN_MODES, ROWS } from '../db/plans-support.ts'
import { openTestDatabase } from '../support/database.ts'

const id = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** Every so many questions one of the large contest, of which each participant has been told; of the others nobody has. */
const STRIDE = LARGE_PARTICIPANTS
const LARGE_QUESTIONS = ROWS / STRIDE

/** A hundred thousand questions and as many notifications: the young half is unread, the old half was read long ago. */
const fillQuestions = (tx: Transaction) =>
  tx.execute(`
    insert into questions (id, event_id, user_id, problem_id, question, answer, answered_by, answered_at, created_at)
    select ${id('n')}, case when n % ${STRIDE} = 0 then ${LARGE} else n % 20000 + 1 end, ${id('n')},
           case when n % 2 = 0 then n end, 'Why?', case when n % 3 = 0 then 'So.' end,
           case when n % 3 = 0 then ${id('n')} end, case when n % 3 = 0 then now() end, now() - n * interval '1 minute'
    from generate_series(1, ${ROWS}) as made (n);
    insert into notifications (user_id, event_id, question_id, notification_type, created_at, read_at)
    select ${id('p')}, ${LARGE}, ${id(`q * ${STRIDE}`)}, 'question', now() - q * interval '1 minute',
           case when q > ${LARGE_QUESTIONS / 2} then now() - interval '2 days' end
    from generate_series(1, ${LARGE_PARTICIPANTS}) as reader (p), generate_series(1, ${LARGE_QUESTIONS}) as asked (q);
    analyze questions, notifications`)

const asParticipant = [idOf(77), 0, 1] as const
const asStranger = [idOf(33_333), 0, 1] as const
const asJudge = [NIL_UUID, 1, 1] as const
const instant = String(Date.now() * 1000 - 1_200_000_000)
const fresh = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

const ofTeams: Case[] = [
  [teams.readTeamEvent, [...asStranger, LARGE]],
  [teams.listTeams.whole, [...asStranger, LARGE + 1]],
  [teams.listTeams.first, [...asStranger, LARGE, 20]],
  [teams.listTeams.after, [...asStranger, LARGE, 20, teamOf(500)]],
  [teams.readTeam, [...asStranger, LARGE, teamOf(77)]],
  [teams.readOwnTeam, [...asParticipant, LARGE]],
  [teams.createTeam, [...asStranger, LARGE, fresh, 'New']],
  [teams.joinTeam, [...asStranger, LARGE, teamOf(77), idOf(33_333)]],
]
const ofQuestions: Case[] = [
  [listQuestions.whole, [...asStranger, LARGE + 1]],
  [listQuestions.first, [...asParticipant, LARGE, 20]],
  [listQuestions.first, [...asStranger, LARGE, 20]],
  [listQuestions.after, [...asParticipant, LARGE, 20, instant, idOf(20)]],
  [askQuestion, [...asParticipant, LARGE + 1, fresh, 12, 'Why?']],
  [askQuestion, [...asStranger, LARGE + 1, fresh, null, 'Why?']],
  [answerQuestion, [...asStranger, LARGE, idOf(STRIDE), 'So.']],
  [answerQuestion, [...asJudge, LARGE, idOf(STRIDE), 'So.']],
]
const ofNotifications: Case[] = [
  [countUnread, [...asParticipant]],
  [listNotifications.whole, [...asParticipant]],
  [listNotifications.first, [...asParticipant, 20]],
  [listNotifications.after, [...asParticipant, 20, instant, fresh]],
  [listNotifications.whole, [...asStranger]],
  [markRead, [idOf(77)]],
]

const rolledBack = new Error('rolled back')

const test = await openTestDatabase()
await test.database.transaction(async (tx) => {
  await fillTables(tx)
  await fillQuestions(tx)
})

describe.each(PLAN_MODES)(`with ${ROWS} questions and notifications, %s`, (mode) => {
  it.each([
    ['of teams', ofTeams],
    ['of questions', ofQuestions],
    ['of notifications', ofNotifications],
  ])('no statement %s scans a growing table', async (_, cases) => {
    await test.database.transaction(async (tx) => {
      expect(await findWholeScans(tx, cases, mode)).toEqual([])
    })
  })

  it.each([
    ['questions_event', ofQuestions, 'list_questions_first', 'questions'],
    ['notifications_read', ofNotifications, 'list_notifications_first', 'notifications'],
    ['event_participants_team_id', ofTeams, 'read_team', 'event_participants'],
  ])('without %s this very test refuses a statement', async (index, cases, name, table) => {
    const work = test.database.transaction(async (tx) => {
      await tx.execute(`drop index ${index}`)
      const scans = await findWholeScans(tx, cases, mode)
      expect(scans.some((scan) => scan.startsWith(name) && scan.endsWith(`on ${table}`))).toBe(true)
      throw rolledBack
    })
    await expect(work).rejects.toBe(rolledBack)
  })
})
