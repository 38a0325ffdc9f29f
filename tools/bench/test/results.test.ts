import { describe, expect, it } from 'vitest'
import { describeMissedTargets, type RouteResult } from '../results.ts'
import { figures } from './figures.ts'

/** A result with a ceiling of 1,000 requests per second. */
function resultOf(route: string, connections: number, requestsPerSecond: number, target?: number) {
  const ceiling = figures({ target: 'one statement', requestsPerSecond: 1000 })
  const result: RouteResult = {
    ...{ route, connections, target },
    figures: [figures({ requestsPerSecond }), ceiling],
  }
  return result
}

describe('the targets of a benchmark', () => {
  it('are listed if missed, with a ratio that is never rounded up', () => {
    const lines = describeMissedTargets([
      resultOf('status poll', 1, 760, 0.75),
      resultOf('status poll', 32, 749.9, 0.75),
      resultOf('submit', 256, 120, 0.6),
    ])
    expect(lines).toEqual([
      'status poll, 32 connections: 0.749 of its ceiling, target 0.75',
      'submit, 256 connections: 0.120 of its ceiling, target 0.60',
    ])
  })

  it('are one line if all are met, even exactly; other routes have no target', () => {
    const results = [resultOf('status poll', 1, 750, 0.75), resultOf('submission', 1, 10)]
    expect(describeMissedTargets(results)).toEqual(['All targets met.'])
  })

  it('are not reported if none was measured', () => {
    const withoutCeiling: RouteResult = {
      route: 'contest mix',
      connections: 1,
      target: 0.5,
      figures: [figures({})],
    }
    expect(describeMissedTargets([])).toEqual([])
    expect(describeMissedTargets([resultOf('submission', 1, 10), withoutCeiling])).toEqual([])
  })
})
