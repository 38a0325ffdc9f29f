import { describe, expect, it } from 'vitest'
import { findStatuses, readExpectedResults } from '../../src/problem-format/submissions/expected-results.ts'

const wrong = ['WRONG_ANSWER', 'PRESENTATION_ERROR']

describe('readExpectedResults', () => {
  const accepted = { statuses: ['ACCEPTED'], expected: 'ACCEPTED' }
  const slow = { statuses: ['TIME_LIMIT_EXCEEDED'], expected: 'TIME_LIMIT_EXCEEDED' }
  const crash = ['RUNTIME_ERROR', 'MEMORY_LIMIT_EXCEEDED', 'OUTPUT_LIMIT_EXCEEDED']
  const manual = 'a person must check the result of this program'

  it('reads nothing of a source without it', () => expect(readExpectedResults('print(1)')).toBeUndefined())

  it.each(
    Object.entries({
      '# @EXPECTED_RESULTS@: CORRECT\n': accepted,
      '// @expected_results@: accepted': accepted,
      '/* @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT */': {
        ...{ statuses: [...wrong, ...slow.statuses], expected: 'WRONG_ANSWER or TIME_LIMIT_EXCEEDED' },
      },
      '# @EXPECTED_RESULTS@: run_time_error,OUTPUT-LIMIT\r\n# more': {
        ...{ statuses: crash, expected: 'RUNTIME_ERROR or OUTPUT_LIMIT_EXCEEDED' },
      },
      '#@EXPECTED_RESULTS@:COMPILER-ERROR': {
        ...{ statuses: ['COMPILE_TIME_ERROR'], expected: 'COMPILE_TIME_ERROR' },
      },
      '# @EXPECTED_RESULTS@: NO-OUTPUT': { statuses: wrong, expected: 'WRONG_ANSWER' },
      '# @EXPECTED_SCORE@: 40.5': { score: 40.5 },
      '# @EXPECTED_SCORE@: TIMELIMIT': slow,
      '# @EXPECTED_RESULTS@: WRONG-ANSWER\n# @EXPECTED_SCORE@: 20': {
        ...{ statuses: wrong, expected: 'WRONG_ANSWER', score: 20 },
      },
      '# @EXPECTED_RESULTS@: CHECK-MANUALLY': { statuses: [], warning: manual },
      '# @EXPECTED_RESULTS@: CORRECT, FINE': {
        warning: '"FINE" is an unknown expected result: none is used',
      },
      '# @EXPECTED_RESULTS@: CORRECT\n# @EXPECTED_RESULTS@: TIMELIMIT': {
        warning: 'the source has more than one expected result: none is used',
      },
    }),
  )('reads %j', (source, expected) => {
    expect(readExpectedResults(source)).toEqual(expected)
  })
})

describe('findStatuses', () => {
  it('knows no inherited names', () => {
    expect(['constructor', 'toString', 'mixed'].map(findStatuses)).toEqual([undefined, undefined, undefined])
  })
})
