import type { Params, Values } from '../../../db/statement.ts'
import type { ListOwner } from '../../../lists/definition.ts'
import type { TextInParts } from '../../../lists/text-in-parts.ts'
import { changesOfStandings } from '../../../lists/version.ts'
import { defineDocument, type WrittenList } from '../../../lists/written-list.ts'
import { contestState } from '../../shared/access/contest-times.ts'
import type { ContestTable } from './contest-table.ts'
import { type ContestFacts, SHOWN_CHANGES, standingsReadings } from './read-sql.ts'
import { withTable } from './read-table.ts'
import { RowTexts } from './row-texts.ts'
import { IS_LIVE, type RankedBy, standingsOwner } from './shown.ts'
import { csvRows, writeCsvHead } from './write-csv.ts'
import { jsonRows, writeHead } from './write-json.ts'

/** The state of the contest changes with the time. */
const version = {
  changes: `concat_ws(' ', ${changesOfStandings(IS_LIVE, ...SHOWN_CHANGES)}, (
      select ${contestState('events')} from events where events.id = :event_id))`,
  audience: `case when ${IS_LIVE} then 'live' else 'shown' end`,
}

type Write = (table: ContestTable, contest: ContestFacts, by: RankedBy) => Promise<TextInParts>

interface StandingsDefinition<P extends Params> {
  readonly name: string
  /** With `event_id`. */
  readonly params: P
  readonly by: RankedBy
  readonly owner: ListOwner
}

function tableDocument<P extends Params>(
  { by, ...document }: StandingsDefinition<P>,
  write: Write,
): WrittenList<Values<P>> {
  return defineDocument({
    ...{ ...document, version },
    build: ({ audience, ...context }, { event_id }) => {
      const wanted = { event_id: Number(event_id), is_live: audience === 'live' }
      return withTable(context, standingsReadings[by], wanted, (table, contest) => write(table, contest, by))
    },
  })
}

/** The standings of a contest (P22). */
export const standingsDocument = <P extends Params>(definition: StandingsDefinition<P>) =>
  tableDocument(definition, async (table, contest, by) => {
    const standings = await table.standings()
    const texts = table.rowTexts('json', standings, { keepsRows: true })
    return texts.write(standings, jsonRows(standings, by), writeHead(contest), ']}')
  })

const csvDocument = <P extends Params>(definition: StandingsDefinition<P>) =>
  tableDocument(definition, async (table, contest, by) => {
    const standings = await table.standings()
    return new RowTexts({ keepsRows: false }).write(
      standings,
      csvRows(standings),
      writeCsvHead(contest, standings, by),
      '',
    )
  })

const ofEvent = (name: string, by: RankedBy) => ({
  ...{ name: `${name}_by_${by}`, params: { event_id: 'integer' } as const },
  ...{ by, owner: standingsOwner(by) },
})

export const readStandings = {
  user: standingsDocument(ofEvent('read_standings', 'user')),
  team: standingsDocument(ofEvent('read_standings', 'team')),
}

export const readStandingsCsv = {
  user: csvDocument(ofEvent('read_standings_csv', 'user')),
  team: csvDocument(ofEvent('read_standings_csv', 'team')),
}
