import { describe, expect, it } from 'vitest'
import { at, OBJECTS, SCOREBOARD } from '../../support/contest-api-rules/example.ts'
import { findBrokenRules, type Item, RULE_TEXTS, type SeenContest } from '../../support/contest-api-rules.ts'

type Objects = Readonly<Record<string, readonly Item[]>>

const endpointsOf = (objects: Objects): Item[] =>
  Object.entries(objects).map(([type, items]) => ({
    type,
    properties: ['id', ...new Set(items.flatMap((item) => Object.keys(item)))],
  }))

const seen = (
  objects: Objects,
  {
    endpoints = endpointsOf(objects),
    scoreboard = SCOREBOARD,
  }: { endpoints?: Item[]; scoreboard?: Item } = {},
): SeenContest => ({
  objects: new Map(Object.entries(objects)),
  access: { capabilities: [], endpoints },
  scoreboard,
})

const changedAt = (items: readonly Item[] = [], place: number, properties: Item): Item[] =>
  items.map((item, index) => (index === place ? { ...item, ...properties } : item))

const withItem = (objects: Objects, type: string, place: number, properties: Item): Objects => ({
  ...objects,
  [type]: changedAt(objects[type], place, properties),
})

/** The example, one of whose objects has other properties. */
const item = (type: string, place: number, properties: Item) =>
  seen(withItem(OBJECTS, type, place, properties))
const more = (type: string, other: Item) => seen({ ...OBJECTS, [type]: [...(OBJECTS[type] ?? []), other] })
const board = (changed: Item) => seen(OBJECTS, { scoreboard: { ...SCOREBOARD, ...changed } })
/** The example, one row or cell of whose scoreboard has other properties. */
const row = (place: number, properties: Item) =>
  board({ rows: changedAt(SCOREBOARD.rows, place, properties) })
const cell = (properties: Item) => row(0, { problems: changedAt(SCOREBOARD.rows[0].problems, 0, properties) })

/** The example, in which points count. */
const POINTS: Objects = {
  ...OBJECTS,
  contest: changedAt(OBJECTS.contest, 0, { scoreboard_type: 'score' }),
  problems: changedAt(OBJECTS.problems, 0, { max_score: 100 }),
  judgements: (OBJECTS.judgements ?? []).map((judgement, place) => ({ ...judgement, score: 50 * place })),
}
const POINTS_BOARD: Item = {
  ...SCOREBOARD,
  rows: SCOREBOARD.rows.map((one: Item, place: number) => ({
    ...one,
    score: { score: place === 0 ? 100 : 0 },
    problems: one.problems.map(({ solved, ...others }: Item) => ({ ...others, score: solved ? 100 : 0 })),
  })),
}
const points = (type: string, place: number, properties: Item) =>
  seen(withItem(POINTS, type, place, properties), { scoreboard: POINTS_BOARD })
const pointsRow = (place: number, properties: Item) =>
  seen(POINTS, { scoreboard: { ...POINTS_BOARD, rows: changedAt(POINTS_BOARD.rows, place, properties) } })

const [file = {}] = OBJECTS.submissions?.[0]?.files ?? []
const { persons = [] } = OBJECTS
const { score: firstScore } = SCOREBOARD.rows[0]
const { problems: pointsCells } = POINTS_BOARD.rows[0]

/** Contests that break a rule: a part of its text, and the contest. */
const BROKEN: readonly (readonly [rule: string, contest: SeenContest])[] = [
  ['ids are unique', more('groups', { id: 'all', name: 'All' })],
  ['that of an object', item('submissions', 0, { team_id: 'nobody' })],
  ['that of an object', item('clarifications', 1, { to_team_ids: ['owls', 'nobody'] })],
  ['that access announces', seen(OBJECTS, { endpoints: endpointsOf({ ...OBJECTS, runs: [] }) })],
  ['announced properties refer to', seen(OBJECTS, { endpoints: endpointsOf({ persons }) })],
  ['different names', item('problems', 0, { statement: [file, file] })],
  ['one zip archive', item('submissions', 0, { files: [] })],
  ['one zip archive', item('problems', 0, { package: [{ ...file, mime: 'text/plain' }] })],
  ['a contest time is', item('submissions', 0, { contest_time: '0:30:00.001' })],
  ['a contest time is', item('judgements', 0, { end_contest_time: '0:30:00.000' })],
  ['a thousandth', item('runs', 0, { run_time: 0.0005 })],
  ['countdown is paused', item('contest', 0, { countdown_pause_time: '0:01:00.000' })],
  ['`penalty` is present', item('judgement-types', 0, { penalty: null })],
  ['`penalty` is present', item('contest', 0, { penalty_time: null })],
  ['simplifies to itself', item('judgement-types', 1, { simplified_judgement_type_id: 'AC' })],
  ['`entry_point_name`', item('languages', 0, { entry_point_name: 'Main' })],
  ['`entry_point_name`', item('languages', 1, { entry_point_name: null })],
  ['ordinals are unique', item('problems', 1, { ordinal: 1 })],
  ['`max_score` is present', item('problems', 0, { max_score: 100 })],
  ['`max_score` is present', points('problems', 0, { max_score: null })],
  ['`group_ids` is present', item('teams', 3, { group_ids: null })],
  ['only they, have teams', item('persons', 0, { team_ids: [] })],
  ['only they, have teams', item('persons', 1, { team_ids: ['owls'] })],
  ['type `team` has a team', item('accounts', 0, { team_id: null })],
  ['`started` equals', item('contest', 0, { start_time: at(1).time })],
  ['with a freeze duration', item('contest', 0, { scoreboard_freeze_duration: null })],
  ['lasts for the freeze duration', item('state', 0, { frozen: at(61).time })],
  ['before the one that it needs', item('state', 0, { frozen: null })],
  ['before the one that it needs', item('state', 0, { ended: null })],
  ['only if a frozen contest is thawed', item('state', 0, { thawed: null, end_of_updates: at(300).time })],
  ['in their order', item('state', 0, { thawed: at(120).time })],
  ['in their order', item('state', 0, { finalized: at(119).time })],
  ['requires one', item('submissions', 1, { entry_point: null })],
  ['end times are present', item('judgements', 0, { end_time: null })],
  ['end times are present', item('judgements', 0, { judgement_type_id: null })],
  ['none ends before it starts', item('judgements', 0, { start_time: at(32).time })],
  ['judgements: `score` is present', item('judgements', 0, { score: 1 })],
  ['judgements: `score` is present', points('judgements', 0, { score: null })],
  ['between 0 and the maximum', points('judgements', 0, { score: 101 })],
  ['between 0 and the maximum', points('judgements', 0, { score: -1 })],
  ['is current', item('judgements', 0, { current: true })],
  ['the simplified type is', item('judgements', 2, { simplified_judgement_type_id: 'RE' })],
  ['ordinals of a judgement', item('runs', 1, { ordinal: 1 })],
  ['number of test cases', item('runs', 1, { ordinal: 3 })],
  ['number of test cases', item('runs', 1, { ordinal: 0 })],
  ['has no recipients', item('clarifications', 0, { to_team_ids: ['larks'] })],
  ['names one that exists', item('awards', 1, { id: 'first-to-solve-x' })],
  ['gets an award once', item('awards', 0, { team_ids: ['owls', 'owls'] })],
  ['the winners are', item('awards', 0, { team_ids: [] })],
  ['the winners are', item('awards', 0, { team_ids: ['owls', 'larks'] })],
  ['have solved it', item('awards', 1, { team_ids: ['larks'] })],
  ['its state is', board({ state: {} })],
  ['teams of the main group', board({ rows: [] })],
  ['teams of the main group', row(2, { team_id: 'testers' })],
  ['better rows come first', board({ rows: SCOREBOARD.rows.toReversed() })],
  ['better rows come first', pointsRow(2, { score: { score: 101 } })],
  ['the number of better rows', row(2, { rank: 3 })],
  ['the number of better rows', row(1, { rank: 1 })],
  ['in alphabetical order', item('teams', 2, { name: 'A' })],
  ['`num_solved` and `total_time`', row(1, { score: { num_solved: 0 } })],
  ['`num_solved` and `total_time`', pointsRow(1, { score: { num_solved: 0, total_time: '0:00:00.000' } })],
  ['time of the last improvement', row(0, { score: { num_solved: 1, total_time: '1:00:00.000' } })],
  ['time of the last improvement', pointsRow(1, { score: { score: 0, time: '1:00:00.000' } })],
  ['time of a problem', pointsRow(0, { problems: changedAt(pointsCells, 0, { time: null }) })],
  ['each total equals the sum', row(0, { score: { ...firstScore, total_time: '0:40:00.000' } })],
  ['each total equals the sum', pointsRow(0, { score: { score: 99 } })],
  ['have the same problems', row(1, { problems: [] })],
  ['is one of the contest', cell({ problem_id: 'x' })],
  ['`solved` or `score` of a problem', cell({ score: 1 })],
  ['`solved` or `score` of a problem', cell({ solved: null })],
  ['time of a problem', cell({ time: null })],
]

describe('the rules of the Contest API for objects together (P26)', () => {
  it('hold for a contest of either scoreboard type, and for a caller who sees no results', () => {
    const { runs, awards, ...others } = OBJECTS
    expect(findBrokenRules(seen(OBJECTS))).toEqual([])
    expect(findBrokenRules(seen(POINTS, { scoreboard: POINTS_BOARD }))).toEqual([])
    expect(findBrokenRules({ ...seen(others), scoreboard: undefined })).toEqual([])
  })

  it.each(BROKEN)('"%s" is found broken', (rule, contest) => {
    expect(findBrokenRules(contest)).toContainEqual(expect.stringContaining(rule))
  })

  it('are each broken by a contest above', () => {
    for (const text of RULE_TEXTS)
      expect(
        BROKEN.map(([rule]) => text.includes(rule)),
        text,
      ).toContain(true)
  })
})
