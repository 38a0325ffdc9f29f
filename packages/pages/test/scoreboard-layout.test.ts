import { describe, expect, it } from 'vitest'
import { SCROLL_START, type ScrollState, scrollOn, turnOn } from '../browser/scoreboard/auto-scroll.ts'
import { fitTable } from '../browser/scoreboard/fit-table.ts'
import { readableOn } from '../browser/shared/contrast.ts'

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
