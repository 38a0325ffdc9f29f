import { describe, expect, it } from 'vitest'
import {
  listEventSubmissions,
  listEventSubmissionsOfTeam,
  listEventSubmissionsOfUser,
  readSubmissionAccess,
} from '../../src/features/event-submissions/sql.ts'
import { readPublicEvent } from '../../src/features/events/sql.ts'
import { rejudge } from '../../src/features/rejudging/sql.ts'
import { listAttempts, listOwnProblemStatus, listProblemStats } from '../../src/features/standings/sql.ts'
import {
  createContestSubmission,
  createSubmission,
  readSubmission,
  storeVerdict,
} from '../../src/features/submissions/sql.ts'
import { ActorDatabase } from '../../src/http/routing/actor.ts'
import { NIL_UUID } from '../../src/http/routing/tokens.ts'
import {
  LARGE,
  LARGE_PARTICIPANTS,
  LARGE_PROBLEMS,
  LARGE_SUBMISSIONS,
  submissionOf,
  teamOf,
} from '../db/fill-contests.ts'
import {
  type Case,
  fillTables,
  findTables,
  findWholeScans,
  idOf,
  PLAN_MODES,
  versionOf,
} from '../db/plans-support.ts'
import { openTestDatabase } from '../support/database.ts'

const test = await openTestDatabase()
await test.database.transaction(fillTables)

const participant = idOf(77)
const stranger = idOf(33_333)
const asParticipant = [participant, 0, 1] as const
const asStranger = [stranger, 0, 1] as const
const asAdmin = [idOf(1), 2, 1] as const
const asJudge = [NIL_UUID, 1, 1] as const
const fresh = 'ffffffff-ffff-7fff-bfff-ffffffffffff'
const instant = String((Date.now() - 3 * 3_600_000) * 1000)
const team = teamOf(77)

const submitting: Case[] = [
  [createContestSubmission, [...asParticipant, fresh, participant, 7, idOf(3), 'print(3)', LARGE]],
  [createContestSubmission, [...asStranger, fresh, stranger, 7, idOf(3), 'print(3)', LARGE]],
  [createSubmission, [...asParticipant, fresh, participant, 7, idOf(3), 'print(3)']],
  [storeVerdict, [...asJudge, submissionOf(77, 7, 1), 'ACCEPTED', '', '', 0.5, null, '[]', [], 1]],
  [readSubmission, [...asJudge, submissionOf(77, 7, 1)]],
  [rejudge(['event_id', 'problem_id']), [...asAdmin, LARGE, 7, null, null]],
  [rejudge(['event_id', 'user_id']), [...asAdmin, LARGE, participant, fresh, null]],
]

const listing: Case[] = [
  [readSubmissionAccess, [...asParticipant, LARGE, team]],
  [listEventSubmissions.first, [...asAdmin, LARGE, 20]],
  [listEventSubmissions.after, [...asAdmin, LARGE, 20, instant, fresh]],
  [listEventSubmissionsOfUser.whole, [...asParticipant, LARGE, participant]],
  [listEventSubmissionsOfUser.first, [...asParticipant, LARGE, participant, 20]],
  [listEventSubmissionsOfUser.after, [...asParticipant, LARGE, participant, 20, instant, fresh]],
  [listEventSubmissionsOfTeam.whole, [...asParticipant, LARGE, team]],
  [listEventSubmissionsOfTeam.first, [...asParticipant, LARGE, team, 20]],
  [listEventSubmissionsOfTeam.after, [...asParticipant, LARGE, team, 20, instant, fresh]],
]

const standings: Case[] = [
  [listAttempts.whole, [...asStranger, LARGE]],
  [listAttempts.first, [...asStranger, LARGE, 100]],
  [listAttempts.after, [...asStranger, LARGE, 100, participant, 7]],
  [listOwnProblemStatus.whole, [...asParticipant, LARGE]],
  [listOwnProblemStatus.first, [...asParticipant, LARGE, 5]],
  [listProblemStats.whole, [...asStranger, LARGE]],
  [listProblemStats.first, [...asStranger, LARGE, 5]],
]

const standingsVersions: Case[] = [
  [versionOf(listAttempts), [...asStranger, LARGE]],
  [versionOf(listProblemStats), [...asStranger, LARGE]],
]

const reading: Case[] = [[readPublicEvent, [...asParticipant, LARGE]]]

describe.each(PLAN_MODES)('with a contest of 60,000 submissions among 20,000 contests, %s', (mode) => {
  it.each([
    ['that submits or judges', submitting],
    ['that lists submissions', listing],
    ['of the standings', [...standings, ...standingsVersions]],
    ['that reads a contest', reading],
  ])('no statement %s scans a growing table', async (_, cases) => {
    await test.database.transaction(async (tx) => {
      expect(await findWholeScans(tx, cases, mode)).toEqual([])
    })
  })

  it('no statement of the standings reads a submission [GET /v1/events/{id}/attempts]', async () => {
    await test.database.transaction(async (tx) => {
      for (const hot of standings) {
        const tables = await findTables(tx, hot, mode)
        expect(tables, hot[0].name).toContain('event_scores')
        expect(tables, hot[0].name).not.toContain('submissions')
      }
      for (const hot of standingsVersions) {
        expect(await findTables(tx, hot, mode), hot[0].name).not.toContain('event_scores')
      }
    })
  })
})

describe('in a contest of 2,000 participants, 12 problems and 60,000 submissions', () => {
  type Cell = { attempts: number; total_attempts: number; first_accepted_time?: string }

  it('the attempts are complete: a cell for each person and problem, together every submission', async () => {
    const db = new ActorDatabase(test.database, { id: stranger, role: 0, sessionVersion: 1 })
    const [row] = await db.ask(listAttempts.whole, [LARGE])
    const cells: Cell[] = JSON.parse(row?.body ?? '[]')
    expect(cells).toHaveLength(LARGE_PARTICIPANTS * LARGE_PROBLEMS)
    expect(cells.reduce((sum, cell) => sum + cell.total_attempts, 0)).toBe(LARGE_SUBMISSIONS)
  })
})

describe('without the index on a contest’s submissions', () => {
  const rolledBack = new Error('rolled back')

  it.each(PLAN_MODES)('this very test refuses their list, %s', async (mode) => {
    const work = test.database.transaction(async (tx) => {
      await tx.execute('drop index submissions_event, submissions_event_user')
      const scans = await findWholeScans(tx, listing, mode)
      expect(scans).toContainEqual(expect.stringMatching(/^list_event_submissions_first\(.+ on submissions$/))
      throw rolledBack
    })
    await expect(work).rejects.toBe(rolledBack)
  })
})
