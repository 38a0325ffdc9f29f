import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../../src/problem-format/submissions/expectations.ts'
import { computeTimeLimit, type TimedProgram } from '../../src/problem-format/submissions/time-limit.ts'

const accepted: Rule = { permitted: ['AC'] }
const tooSlow: Rule = { permitted: ['AC', 'TLE'], required: ['TLE'] }

function timed(path: string, rule: Rule, times: number[], extra: Partial<TimedProgram> = {}): TimedProgram {
  const cases = times.map((time, index) => ({ name: `secret/${index + 1}`, status: 'ACCEPTED', time }))
  return { path, rules: [rule], factor: 1, limitSeconds: 100, cases, ...extra }
}

const fast = timed('a', accepted, [0.5])
const ended = [{ name: 'secret/1', status: 'TIME_LIMIT_EXCEEDED', time: 0.1 }]

describe('computeTimeLimit', () => {
  type Row = [
    string,
    TimedProgram[],
    number | undefined,
    Partial<ReturnType<typeof computeTimeLimit>>,
    object?,
  ]
  it.each<Row>([
    [
      'decimal multiples without errors of binary fractions',
      [timed('a', accepted, [0.15])],
      0.3,
      { slowestAccepted: 0.15 },
      { time_resolution: 0.1, time_multipliers: { ac_to_time_limit: 2 } },
    ],
    [
      'times without the factor of the language',
      [timed('a', accepted, [0.6], { factor: 2 }), timed('slow', tooSlow, [9], { factor: 3 })],
      1,
      { slowestAccepted: 0.3, fastestTooSlow: 3 },
    ],
    [
      'the raised limit as the time of a program that was ended',
      [timed('a', accepted, [1]), timed('slow', tooSlow, [], { cases: ended, limitSeconds: 10 })],
      2,
      { slowestAccepted: 1, fastestTooSlow: 10 },
    ],
    [
      'only the test cases of a rule',
      [timed('a', { ...accepted, cases: 'secret/{1,2}' }, [0.1, 0.2, 5])],
      0.4,
      { slowestAccepted: 0.2 },
      { time_resolution: 0.1 },
    ],
    [
      'nothing of programs that opted out',
      [fast, timed('b', { ...accepted, useForTimeLimit: false }, [7])],
      1,
      { slowestAccepted: 0.5 },
    ],
    [
      'nothing of programs that may be too slow or crash',
      [fast, timed('b', { required: ['RTE', 'TLE'] }, [0.1])],
      1,
      { slowestAccepted: 0.5 },
    ],
    [
      'the results that a source expects',
      [
        timed('a', { statuses: ['ACCEPTED'] }, [0.5]),
        timed('b', { statuses: ['TIME_LIMIT_EXCEEDED'] }, [3]),
        timed('c', { statuses: ['WRONG_ANSWER'] }, [9]),
      ],
      1,
      { slowestAccepted: 0.5, fastestTooSlow: 3 },
    ],
    [
      'a given limit that is right, and the smallest one',
      [fast, timed('slow', tooSlow, [4.5])],
      1,
      { slowestAccepted: 0.5, fastestTooSlow: 4.5 },
      { time_limit: 3 },
    ],
    ['a given limit without programs', [], undefined, {}, { time_limit: 2 }],
  ])('%s', (_, programs, computed, times, limits = {}) => {
    const expected = { agrees: true, ...(computed !== undefined && { computed }), ...times }
    expect(computeTimeLimit(programs, limits)).toEqual(expected)
  })

  it.each<[string, TimedProgram[], object, object]>([
    [
      'No time limit fits: it must be at least 2 s, because a takes 1 s, and at most 1.6 s, because slow takes 2.4 s',
      [timed('a', accepted, [1]), timed('slow', tooSlow, [2.4])],
      { slowestAccepted: 1, fastestTooSlow: 2.4 },
      {},
    ],
    [
      'The time limit of 0.9 s must be at least 1 s: a takes 0.5 s',
      [fast],
      { computed: 1, slowestAccepted: 0.5 },
      { time_limit: 0.9 },
    ],
    [
      'The time limit of 3.5 s must be at most 3 s: slow takes 4.5 s',
      [fast, timed('slow', tooSlow, [4.5])],
      { computed: 1, slowestAccepted: 0.5, fastestTooSlow: 4.5 },
      { time_limit: 3.5 },
    ],
    [
      'a was ended after 4 s; it must not be too slow',
      [timed('a', accepted, [], { cases: ended, limitSeconds: 4 })],
      { slowestAccepted: 4 },
      {},
    ],
    [
      'No judged program gives a lower bound for the time limit',
      [timed('slow', tooSlow, [3])],
      { fastestTooSlow: 3 },
      {},
    ],
  ])('%s', (message, programs, found, limits) => {
    expect(computeTimeLimit(programs, limits)).toEqual({ agrees: false, message, ...found })
  })

  it('finds a limit with both margins, and no smaller multiple has them', () => {
    const milliseconds = fc.integer({ min: 1, max: 20_000 })
    const quarters = fc.constantFrom(4, 5, 6, 8, 20)
    const step = fc.constantFrom(1, 100, 300, 500, 1000, 2000)
    const values = fc.tuple(milliseconds, milliseconds, quarters, quarters, step)
    fc.assert(
      fc.property(values, ([fastMs, slowMs, lower, upper, stepMs]) => {
        const programs = [timed('a', accepted, [fastMs / 1000]), timed('slow', tooSlow, [slowMs / 1000])]
        const { agrees, computed } = computeTimeLimit(programs, {
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
