import { describe, expect, it } from 'vitest'
import { unprepared } from '../../src/db/statement.ts'
import {
  addEventProblem,
  listEventProblems,
  readEventProblem,
} from '../../src/features/event-problems/sql.ts'
import * as events from '../../src/features/events/sql.ts'
import { addParticipant, listParticipants } from '../../src/features/participants/sql.ts'
import { listProblemCategories, readProblem } from '../../src/features/problems/sql.ts'
import { LARGE } from '../db/fill-contests.ts'
import { type Case, fillTables, findWholeScans, idOf, PLAN_MODES, versionOf } from '../db/plans-support.ts'
import { openTestDatabase } from '../support/database.ts'

const test = await openTestDatabase()
await test.database.transaction(fillTables)

const asParticipant = [idOf(77), 0, 1] as const
const asStranger = [idOf(33_333), 0, 1] as const
const asAdmin = [idOf(1), 2, 1] as const
const instant = String(Date.now() * 1000 - 18_000_000_000)
const times = ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'] as const

const ofEvents: Case[] = [
  [versionOf(events.listEvents), asParticipant],
  [events.listEvents.first, [...asParticipant, 20]],
  [events.listEvents.after, [...asStranger, 20, instant, 10_000]],
  [events.readPublicEvent, [...asStranger, LARGE]],
  [events.readEvent, [...asAdmin, LARGE]],
  [events.findEvent, [...asAdmin, 'Contest 777']],
  [
    events.createEvent,
    [idOf(1), 'New', '', ...times, true, '[]', [1, 2], [null, 5], [null, 5], [null, 64], [false, true]],
  ],
  [events.updateEvent, [LARGE, 'New', null, ...times, null]],
  [events.endEvent, [LARGE]],
  [events.deleteEvent, [LARGE]],
]
const ofParticipants: Case[] = [
  [listParticipants.whole, [...asStranger, LARGE + 1]],
  [listParticipants.first, [...asStranger, LARGE, 20]],
  [listParticipants.after, [...asStranger, LARGE, 20, instant, idOf(500)]],
  [addParticipant, [...asStranger, LARGE, idOf(33_333)]],
]
const ofProblems: Case[] = [
  [versionOf(listEventProblems), [...asStranger, LARGE]],
  [listEventProblems.whole, [...asStranger, LARGE]],
  [listEventProblems.first, [...asParticipant, LARGE, 5]],
  [listEventProblems.after, [...asParticipant, LARGE, 5, 3]],
  [readEventProblem, [...asParticipant, LARGE, 3]],
  [addEventProblem, [...asParticipant, LARGE, 777]],
  [readProblem, [...asParticipant, 7]],
  [listProblemCategories.whole, [...asParticipant, 7]],
]

const rolledBack = new Error('rolled back')

describe.each(PLAN_MODES)('with 20,000 contests, one of 2,000 participants, %s', (mode) => {
  it.each([
    ['of events', ofEvents],
    ['of participants', ofParticipants],
    ['of the problems of events', ofProblems],
  ])('no statement %s scans a growing table', async (_, cases) => {
    await test.database.transaction(async (tx) => {
      expect(await findWholeScans(tx, cases, mode)).toEqual([])
    })
  })

  it('without the index on their start this very test refuses the list of events', async () => {
    const work = test.database.transaction(async (tx) => {
      await tx.execute('drop index events_start')
      const scans = await findWholeScans(tx, ofEvents, mode)
      expect(scans).toContainEqual(expect.stringMatching(/^list_events_first\(.+ on events$/))
      throw rolledBack
    })
    await expect(work).rejects.toBe(rolledBack)
  })
})

it('a page of participants comes in its order from an index: those before and after it are not sorted (D6)', async () => {
  await test.database.transaction(async (tx) => {
    for (const [{ name, text }, values] of ofParticipants.slice(1, 3)) {
      const explain = unprepared<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`)
      const plan = (await tx.query(explain, values)).map((line) => line['QUERY PLAN']).join('\n')
      expect(plan, name).toMatch(/Index (Only )?Scan using event_participants_joined/)
      expect(plan, name).not.toContain('Sort')
    }
  })
})
