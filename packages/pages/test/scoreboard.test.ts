import { describe, expect, it } from 'vitest'
import { SCROLL_START, type ScrollState, scrollOn, turnOn } from '../browser/scoreboard/auto-scroll.ts'
import { fitTable } from '../browser/scoreboard/fit-table.ts'
import { readableOn } from '../browser/shared/contrast.ts'
import * as view from '../browser/shared/standings-view.ts'

const { describeChanges, findNextReveal, viewCell } = view
type Cells = view.StandingsRow['cells']

const row = (name: string, cells: Cells, rank = 1): view.StandingsRow => ({
  ...{ rank, user: { id: name, name }, solved: 0, penalty: 0, cells },
})

const standings = (rows: view.StandingsRow[], state: view.Standings['state'] = 'running') => ({
  ...{ event_id: 1, state, at: '2026-01-01T00:00:00Z', rows },
  problems: [7, 8].map((problem_id) => ({ problem_id, label: problem_id === 7 ? 'A' : 'B' })),
})

const solved = (problem_id: number, minutes: number) => ({ problem_id, tries: 1, pending: 0, minutes })
const pending = (problem_id: number) => ({ problem_id, tries: 0, pending: 1 })

describe('a cell', () => {
  const base = { problem_id: 7, tries: 2, pending: 0 }
  const solved = { ...base, minutes: 57 }
  const first = { ...base, tries: 1, minutes: 5, first: true as const }
  const waiting = { ...base, score: 40, pending: 1 }
  it.each([
    ['nothing', undefined, 'empty', '', 'no submission'],
    ['a solution', solved, 'solved', '57', 'solved, minute 57, 2 tries'],
    ['the first solution', first, 'solved', '5', 'solved, minute 5, 1 try, first solution'],
    ['rejected tries', base, 'tried', '✗', 'not solved, 2 tries'],
    ['pending tries', { ...base, pending: 1 }, 'pending', '?', 'pending, 3 tries'],
    ['a solution, pending tries', { ...solved, pending: 1 }, 'solved', '57', 'solved, minute 57, 2 tries'],
    ['some points', { ...base, score: 40 }, 'partial', '40', '40 points, 2 tries'],
    ['no points', { ...base, score: 0 }, 'tried', '✗', 'not solved, 2 tries'],
    ['all points', { ...solved, score: 262.5 }, 'solved', '262.5', 'solved, 262.5 points, 2 tries'],
    ['a solution without points', { ...solved, score: 0 }, 'solved', '0', 'solved, 0 points, 2 tries'],
    ['the first points', { ...first, score: 30 }, 'solved', '30', 'solved, 30 points, 1 try, first solution'],
    ['points, pending tries', waiting, 'pending', '?', 'pending, 40 points, 3 tries'],
  ])('shows %s', (_, cell, state, main, spoken) => {
    const view = viewCell(cell)
    expect(view).toMatchObject({ state, main, spoken })
    if (cell !== undefined && 'score' in cell) expect(JSON.stringify(view)).not.toMatch(/min|57/)
  })
})

it('the longest texts are those of points and of cells, with the star of a first solution', () => {
  const cells = [{ ...solved(7, 57), score: 33.33 }, pending(8)]
  const first = [{ ...solved(7, 5), score: 100, first: true as const }]
  const rows = [{ ...row('Ada', cells), points: 1262.5 }, row('Bea', []), row('Cleo', first)]
  expect(view.measureTexts(standings(rows))).toEqual({ total: 6, cell: 5 })
  expect(view.measureTexts(standings([row('Ada', [solved(7, 57)])]))).toEqual({ total: 0, cell: 0 })
})

it('the next step of the thaw is the first pending cell of the last row with one', () => {
  const [ada, cleo] = [row('Ada', [pending(7)]), row('Cleo', [solved(7, 5)])]
  const rows = [ada, row('Bea', [solved(7, 3), pending(8)]), cleo]
  expect(findNextReveal(standings(rows))).toEqual({ rowId: 'Bea', problemId: 8 })
  expect(findNextReveal(standings([cleo]))).toBe(undefined)
})

describe('changes in words', () => {
  it('name solved problems and the new rank, once', () => {
    const before = standings([row('Ada', []), row('Bea', [solved(7, 3)])])
    const after = standings([row('Bea', [solved(7, 3)]), row('Ada', [solved(7, 9), solved(8, 10)], 2)])
    expect(describeChanges(before, after)).toEqual(['Ada has solved A and B and is at rank 2.'])
    expect(describeChanges(after, after)).toEqual([])
  })

  it('name the freeze', () => {
    expect(describeChanges(standings([]), standings([], 'frozen'))).toEqual(['The standings are frozen.'])
  })
})

const screen = { width: 1880, height: 880 }

describe('the sizes of the table', () => {
  it('let six rows fill the screen', () => {
    const { row } = fitTable({ ...screen, rows: 6, problems: 8 })
    expect(row * 6).toBeGreaterThan(screen.height - 6)
    expect(row * 6).toBeLessThanOrEqual(screen.height)
  })

  it('keep 200 rows readable: at most sixteen on a screen', () => {
    const { row, font } = fitTable({ ...screen, rows: 200, problems: 12 })
    expect(screen.height / row).toBeLessThan(16.5)
    expect(font).toBeGreaterThan(25)
  })

  it.each([1, 3, 8, 13, 26])('leave room for names beside %i problems', (problems) => {
    const { cell, font } = fitTable({ ...screen, rows: 200, problems })
    expect(screen.width - problems * cell).toBeGreaterThanOrEqual(19 * font)
  })
})

it.each([5, 8.5, 11.5])('a text of %d characters fits into its cell', (characters) => {
  for (const problems of [3, 13, 26]) {
    const { cell, cellFont } = fitTable({ ...screen, rows: 20, problems, characters })
    // Digits of bold fonts are at most 0.7 of their size.
    expect(characters * 0.7 * cellFont).toBeLessThanOrEqual(cell)
  }
})

describe('automatic scrolling', () => {
  const space = { mostTop: 1000, rowHeight: 50 }
  /** The phases that it goes through in a time, in frames of 50 ms. */
  const run = (ms: number, step: (state: ScrollState) => ScrollState) => {
    const phases: string[] = []
    let state = SCROLL_START
    for (let passed = 0; passed < ms; passed += 50) {
      state = step(state)
      if (phases.at(-1) !== state.phase) phases.push(state.phase)
    }
    return { phases, top: state.top }
  }

  it('waits at the top and at the bottom, and begins again', () => {
    const { phases } = run(60_000, (state) => scrollOn(state, space, 50))
    expect(phases.slice(0, 5)).toEqual(['at top', 'down', 'at bottom', 'up', 'at top'])
  })

  it('stays at the top if everything fits', () => {
    expect(run(60_000, (state) => scrollOn(state, { ...space, mostTop: 0 }, 50)).top).toBe(0)
  })

  it('never leaves the space', () => {
    const tops: number[] = []
    run(100_000, (state) => {
      tops.push(state.top)
      return scrollOn(state, space, 37)
    })
    expect(Math.min(...tops)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...tops)).toBeLessThanOrEqual(space.mostTop)
  })

  it('turns pages without movement, to the end and back', () => {
    const tops = new Set<number>()
    let state = SCROLL_START
    for (let frame = 0; frame < 1000; frame += 1) {
      state = turnOn(state, { mostTop: 1000, screen: 800 }, 50)
      tops.add(state.top)
    }
    expect([...tops].sort((one, other) => one - other)).toEqual([0, 800, 1000])
  })
})

it.each([
  ['#fff', 'black'],
  ['#000000', 'white'],
  ['#ffe119', 'black'],
  ['#911eb4', 'white'],
  ['#46f0f0ff', 'black'],
  ['gold', undefined],
  [undefined, undefined],
])('on %s the text is %s', (color, text) => {
  expect(readableOn(color)).toBe(text)
})
