import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../src/submissions/expectations.ts'
import { computeTimeLimit, type TimedProgram } from '../src/submissions/time-limit.ts'

const passed: Rule = { permitted: ['AC'] }
const tooSlow: Rule = { permitted: ['AC', 'TLE'], required: ['TLE'] }

function timed(path: string, rule: Rule, times: number[], extra: Partial<TimedProgram> = {}): TimedProgram {
  const cases = times.map((time, index) => ({ name: `secret/${index + 1}`, status: 'ACCEPTED', time }))
  return { path, rules: [rule], factor: 1, limitSeconds: 100, cases, ...extra }
}

const fast = (times: number[], extra?: Partial<TimedProgram>) => timed('a', passed, times, extra)
const slow = (times: number[], extra?: Partial<TimedProgram>) => timed('slow', tooSlow, times, extra)
const other = (rule: Rule, ...times: number[]) => timed('b', rule, times)
const ended = { cases: [{ name: 'secret/1', status: 'TIME_LIMIT_EXCEEDED', time: 0.1 }] }

/** Seconds: the computed limit, the slowest accepted time and the fastest one that is too slow. */
type Found = [computed?: number | undefined, slowestAccepted?: number | undefined, fastestTooSlow?: number]

function describeFound([computed, slowestAccepted, fastestTooSlow]: Found) {
  return {
    ...(computed !== undefined && { computed }),
    ...(slowestAccepted !== undefined && { slowestAccepted }),
    ...(fastestTooSlow !== undefined && { fastestTooSlow }),
  }
}

const FINE = { time_resolution: 0.1, time_multipliers: { ac_to_time_limit: 2 } }

const crashes = other({ required: ['RTE', 'TLE'] }, 0.1)
const expected = (status: string, seconds: number) => other({ statuses: [status] }, seconds)
const ended4 = fast([], { ...ended, limitSeconds: 4 })
const ended10 = slow([], { ...ended, limitSeconds: 10 })
const bySources = [
  ...[expected('ACCEPTED', 0.5), expected('TIME_LIMIT_EXCEEDED', 3), expected('WRONG_ANSWER', 9)],
]
const byFactors = [fast([0.6], { factor: 2 }), slow([9], { factor: 3 })]
const optedOut = other({ ...passed, useForTimeLimit: false }, 7)
const ofTwoCases = other({ ...passed, cases: 'secret/{1,2}' }, 0.1, 0.2, 5)
const given = (time_limit: number) => ({ time_limit })

describe('computeTimeLimit', () => {
  it.each<[string, TimedProgram[], Found, object?]>([
    ['the smallest multiple above the slowest', [fast([0.1, 0.6]), other(passed, 0.2)], [2, 0.6]],
    ['at least one resolution', [fast([0])], [0.5, 0], { time_resolution: 0.5 }],
    ['decimal multiples without errors of binary fractions', [fast([0.15])], [0.3, 0.15], FINE],
    ['times without the factor of the language', byFactors, [1, 0.3, 3]],
    ['the raised limit as the time of a program that was ended', [fast([1]), ended10], [2, 1, 10]],
    ['only the test cases of a rule', [ofTwoCases], [1, 0.2]],
    ['nothing of programs that opted out', [fast([0.5]), optedOut], [1, 0.5]],
    ['nothing of programs that may be too slow or crash', [fast([0.5]), crashes], [1, 0.5]],
    ['the results that a source expects', bySources, [1, 0.5, 3]],
    ['a right limit that is given, and the smallest', [fast([0.5]), slow([4.5])], [1, 0.5, 4.5], given(3)],
    ['a given limit without programs', [], [], given(2)],
  ])('%s', (_, programs, found, limits = {}) => {
    expect(computeTimeLimit(programs, limits)).toEqual({ agrees: true, ...describeFound(found) })
  })

  const NO_LIMIT = 'it must be at least 2 s, because a takes 1 s, and at most 1.6 s, because slow takes 2.4 s'
  const twoBounds = [fast([0.5]), slow([4.5])]
  it.each<[string, TimedProgram[], Found, object?]>([
    [`No time limit fits: ${NO_LIMIT}`, [fast([1]), slow([2.4])], [undefined, 1, 2.4]],
    ['The time limit of 0.9 s must be at least 1 s: a takes 0.5 s', [fast([0.5])], [1, 0.5], given(0.9)],
    ['The time limit of 3.5 s must be at most 3 s: slow takes 4.5 s', twoBounds, [1, 0.5, 4.5], given(3.5)],
    ['a was ended after 4 s; it must not be too slow', [ended4], [undefined, 4]],
    ['No judged program gives a lower bound for the time limit', [slow([3])], [undefined, undefined, 3]],
  ])('%s', (message, programs, found, limits = {}) => {
    expect(computeTimeLimit(programs, limits)).toEqual({ agrees: false, message, ...describeFound(found) })
  })

  it('finds a limit with both margins, and no smaller multiple has them', () => {
    const milliseconds = fc.integer({ min: 1, max: 20_000 })
    const quarters = fc.constantFrom(4, 5, 6, 8, 20)
    const step = fc.constantFrom(1, 100, 300, 500, 1000, 2000)
    const values = fc.tuple(milliseconds, milliseconds, quarters, quarters, step)
    fc.assert(
      fc.property(values, ([fastMs, slowMs, lower, upper, stepMs]) => {
        const { agrees, computed } = computeTimeLimit([fast([fastMs / 1000]), slow([slowMs / 1000])], {
          time_resolution: stepMs / 1000,
          time_multipliers: { ac_to_time_limit: lower / 4, time_limit_to_tle: upper / 4 },
        })
        const smallestMs = Math.max(1, Math.ceil((fastMs * lower) / 4 / stepMs)) * stepMs
        const isPossible = smallestMs * upper <= slowMs * 4
        expect([agrees, computed]).toEqual([isPossible, isPossible ? smallestMs / 1000 : undefined])
      }),
    )
  })
})
