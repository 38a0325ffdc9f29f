import { describe, expect, test } from 'vitest'
import { findFewer, findLess } from '../cluster/seen.ts'

describe('a response that shows less than before', () => {
  const seen = new Map([
    ['1', 'PENDING'],
    ['2', 'ACCEPTED'],
  ])

  test('lacks an acknowledged submission', () => {
    expect(findLess(new Map(), ['1', '3'], seen)).toEqual([
      'a list without 3, which was acknowledged or seen before',
    ])
  })

  test('lacks a submission that an earlier one had', () => {
    expect(findLess(seen, ['2'], new Map([['2', 'ACCEPTED']]))).toEqual([
      'a list without 1, which was acknowledged or seen before',
    ])
  })

  test('has lost a verdict', () => {
    const now = new Map([...seen, ['2', 'PENDING']] as const)
    expect(findLess(seen, [], now)).toEqual(['2 is PENDING, after ACCEPTED was seen'])
  })

  test('is not one with more', () => {
    const now = new Map([...seen, ['1', 'WRONG_ANSWER'], ['3', 'PENDING']] as const)
    expect(findLess(seen, ['1', '2', '3'], now)).toEqual([])
  })
})

test('a cell has fewer attempts than before', () => {
  const seen = new Map([
    ['ada 1', 2],
    ['ada 2', 1],
    ['bob 1', 1],
  ])
  const now = new Map([
    ['ada 1', 1],
    ['ada 2', 3],
  ])
  expect(findFewer(seen, now)).toEqual(['ada 1 has fewer than 2 attempts', 'bob 1 has fewer than 1 attempts'])
})
