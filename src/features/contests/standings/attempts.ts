import { found } from '../../../http/routing/responses.ts'
import { changesOfStandings } from '../../../lists/version.ts'
import {
  type BuiltPage,
  cutPage,
  defineWrittenList,
  type ListPage,
  type WrittenItem,
} from '../../../lists/written-list.ts'
import type { Cell, Outcome } from '../../../standings/cell.ts'
import type { Cells } from '../../../standings/cells.ts'
import { tellingOutcome } from '../../../standings/status.ts'
import { minutesFrom } from '../../../standings/times.ts'
import { EVENT } from '../../shared/access/events.ts'
import type { ContestTable } from './contest-table.ts'
import { type ContestFacts, readOwnAttempts, standingsReadings } from './read-sql.ts'
import { withTable } from './read-table.ts'
import type { RankedRows, RowForm } from './row-texts.ts'
import { ATTEMPTS_OWNER, AUDIENCE_OF_STANDINGS, IS_LIVE, readAttemptsAudience } from './shown.ts'
import { writeInstant } from './write-instant.ts'

/** The cells of all who have submitted, without problems hidden from the actor (D33, D35). */
export const listAttempts = defineWrittenList({
  name: 'list_attempts',
  params: { event_id: 'integer' },
  key: [{ type: 'uuid' }, { type: 'integer' }],
  owner: ATTEMPTS_OWNER,
  version: { changes: changesOfStandings(IS_LIVE, 'contest'), audience: AUDIENCE_OF_STANDINGS },
  build: ({ audience, ...context }, { event_id }, page) => {
    const { is_live, seesHidden } = readAttemptsAudience(audience)
    const wanted = { event_id: Number(event_id), is_live }
    return withTable(context, standingsReadings.user, wanted, (table, contest) =>
      writeAttempts(table, contest, seesHidden, page),
    )
  },
})

async function writeAttempts(
  table: ContestTable,
  contest: ContestFacts,
  seesHidden: boolean,
  page: ListPage,
): Promise<BuiltPage> {
  const { basis, rows, form, itemsFrom } = attemptRows(table.cells, contest, seesHidden)
  const isWhole = page.after === undefined && page.limit === Number.POSITIVE_INFINITY
  if (!isWhole) return cutPage(itemsFrom(page.after?.[0] ?? ''), page)
  const texts = table.rowTexts(seesHidden ? 'all attempts' : 'attempts', basis, { keepsRows: false })
  return { body: await texts.write(rows, form, '[', ']'), next: null }
}

/** The cells by user: a row has those of one user, in the order of the problems. */
function attemptRows(cells: Cells, { start_time, problems }: ContestFacts, seesHidden: boolean) {
  const shown = problems.filter(({ hidden }) => seesHidden || !hidden).map(({ problem_id }) => problem_id)
  const ids = shown.sort((a, b) => a - b)
  const columns = ids.flatMap((id) => {
    const column = cells.columnOf(id)
    return column === undefined ? [] : [{ id, column }]
  })
  const order = cells.inOrder.filter((row) => columns.some(({ column }) => column.hasTried(row)))
  const idOf = (row: number) => cells.ownerIds[row] ?? ''
  const itemsOf = (row: number): WrittenItem[] =>
    columns.flatMap(({ id, column }) => {
      if (!column.hasTried(row)) return []
      const text = writeCell(start_time, idOf(row), id, column.read(row))
      return { key: [idOf(row), id], text }
    })
  const rows: RankedRows = {
    order,
    ranks: new Uint8Array(order.length),
    revisions: cells.revisions,
    cellsInRow: columns.length,
  }
  const form: RowForm = {
    prefix: () => '',
    separator: ',',
    write: (row) =>
      itemsOf(row)
        .map(({ text }) => text)
        .join(','),
  }
  /** The items from this user on. */
  function* itemsFrom(firstId: string): Generator<WrittenItem> {
    for (const row of order) if (idOf(row) >= firstId) yield* itemsOf(row)
  }
  // What the texts of rows show besides the cells.
  const basis = JSON.stringify([start_time, ids])
  return { basis, rows, form, itemsFrom }
}

function writeCell(startTime: number, userId: string, problemId: number, cell: Cell): string {
  const { tries, submissions, acceptedAt } = cell
  const solved = Number.isNaN(acceptedAt)
    ? ''
    : `,"first_accepted_time":"${writeInstant(acceptedAt)}","minutes_to_solve":${minutesFrom(startTime, acceptedAt)}`
  return `{"user_id":"${userId}","problem_id":${problemId},"attempts":${tries},"total_attempts":${submissions}${solved}}`
}

/** How many users have tried and how many have solved each problem of an event (D35). */
export const listProblemStats = defineWrittenList({
  name: 'list_problem_stats',
  params: { event_id: 'integer' },
  key: [{ type: 'integer' }, { type: 'integer' }],
  owner: ATTEMPTS_OWNER,
  version: {
    changes: changesOfStandings(IS_LIVE, 'contest'),
    audience: AUDIENCE_OF_STANDINGS,
  },
  build: ({ audience, ...context }, { event_id }, page) => {
    const { is_live, seesHidden } = readAttemptsAudience(audience)
    const wanted = { event_id: Number(event_id), is_live }
    return withTable(context, standingsReadings.user, wanted, async ({ cells }, { problems }) => {
      const shown = problems.filter(({ hidden, deleted }) => !deleted && (seesHidden || !hidden))
      const items = shown.map(({ position, id, problem_id }): WrittenItem => {
        const { accepted = 0, attempted = 0 } = cells.columnOf(problem_id)?.totals ?? {}
        const stats = { problem_id, accepted_count: accepted, attempted_count: attempted }
        return { key: [position, id], text: JSON.stringify(stats) }
      })
      return cutPage(items, page)
    })
  },
})

type OwnAttempts = readonly (readonly [problemId: number, countedUntil: number, outcomes: Outcome[]])[]

/** The caller's status of each tried problem: an accepted submission, else the latest (D35). */
export const listOwnProblemStatus = defineWrittenList({
  name: 'list_own_problem_status',
  params: { event_id: 'integer' },
  key: [{ type: 'integer' }],
  owner: EVENT,
  build: async ({ db }, values, page) => {
    const { attempts } = found(await db.queryQuickly(readOwnAttempts, values), EVENT.name)
    const own: OwnAttempts = JSON.parse(attempts)
    const items = own.flatMap(([problem_id, countedUntil, outcomes]): WrittenItem[] => {
      const telling = tellingOutcome({ countedUntil, outcomes })
      if (telling === undefined) return []
      const [sentAt, status] = telling
      const text = JSON.stringify({ problem_id, status, submit_time: writeInstant(sentAt) })
      return [{ key: [problem_id], text }]
    })
    return cutPage(items, page)
  },
})
