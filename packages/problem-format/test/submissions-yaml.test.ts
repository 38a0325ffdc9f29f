import { describe, expect, it } from 'vitest'
import { PackageError } from '../src/package/package-files.ts'
import { compileGlob } from '../src/submissions/glob-pattern.ts'
import { readOne, readProgramsOf, YAML } from './support/read-programs.ts'

/** The line number and the message of `3: a message`. */
function splitLine(text: string): [line: number, message: string] {
  const [, line, message = ''] = /^(\d+): (.*)$/.exec(text) ?? []
  return [Number(line), message]
}

describe('submissions.yaml', () => {
  it('adds rules for a pattern, and for test cases', async () => {
    const yaml = `
time_limit_exceeded/*:
  language: python3
  entrypoint: solve.py
  message: too slow
  sample:
    permitted: [AC]
  secret/{1,2}*:
    permitted: [AC, TLE]
    required: TLE
    use_for_time_limit: false
`
    const { programs, warnings } = await readProgramsOf({
      'submissions/time_limit_exceeded/a.py': '',
      [YAML]: yaml,
    })
    expect(programs[0]).toMatchObject({
      ...{ language: 'python3', entrypoint: 'solve.py' },
      rules: [
        { permitted: ['AC', 'TLE'], required: ['TLE'] },
        { message: 'too slow' },
        { cases: 'sample', permitted: ['AC'] },
        { cases: 'secret/{1,2}*', permitted: ['AC', 'TLE'], required: ['TLE'], useForTimeLimit: false },
      ],
      expected: 'TIME_LIMIT_EXCEEDED, ACCEPTED in sample, and TIME_LIMIT_EXCEEDED in secret/{1,2}*',
    })
    expect(warnings).toEqual([])
  })

  it('replaces keys of a default folder, and keeps the others', async () => {
    const yaml = 'time_limit_exceeded:\n  permitted: [AC, WA, TLE]\n'
    const { rules } = await readOne('submissions/time_limit_exceeded/a.py', '', {}, yaml)
    expect(rules).toEqual([{ permitted: ['AC', 'WA', 'TLE'], required: ['TLE'] }])
  })

  it('gives a meaning to other folders, and ignores verdicts that a list repeats', async () => {
    const yaml = 'mixed:\n  permitted: [WA, WA, TLE, TLE]\n'
    expect(await readOne('submissions/mixed/a.py', '', {}, yaml)).toEqual({
      ...{ rules: [{ permitted: ['WA', 'TLE'] }], warnings: [] },
      expected: 'WRONG_ANSWER or TIME_LIMIT_EXCEEDED',
    })
  })

  it.each([
    ['lower', [{ permitted: ['AC', 'WA', 'RTE'] }]],
    ['upper', [{ required: ['TLE'] }]],
    ['false', [{ useForTimeLimit: false }]],
    ['true', []],
  ])('uses use_for_time_limit: %s', async (value, rules) => {
    const yaml = `mixed/a.py:\n  use_for_time_limit: ${value}\n`
    expect((await readOne('submissions/mixed/a.py', '', {}, yaml)).rules).toEqual(rules)
  })

  it('keeps another requirement beside use_for_time_limit: upper', async () => {
    const yaml = 'mixed/a.py: {required: [WA], use_for_time_limit: upper}\n'
    const { rules } = await readOne('submissions/mixed/a.py', '', {}, yaml)
    expect(rules).toEqual([{ required: ['WA'] }, { required: ['TLE'] }])
  })

  it('reads scores and ranges of scoring problems', async () => {
    const yaml = 'mixed/a.py:\n  score: [10, 40.5]\n  secret/group1:\n    score: 10\n'
    expect(await readOne('submissions/mixed/a.py', '', { isScoring: true }, yaml)).toEqual({
      rules: [{ score: [10, 40.5] }, { cases: 'secret/group1', score: [10, 10] }],
      expected: 'a score of 10 to 40.5, and a score of 10 in secret/group1',
      warnings: [],
    })
  })

  it.each(
    Object.entries({
      'accepted/*:\n  colour: red\n': '2: colour is an unknown key',
      'accepted/*:\n  secret:\n    colour: red\n': '3: colour is an unknown key',
      'accepted/*:\n  score: 3\n': '2: only scoring problems have a score: it is not used',
      'accepted/*:\n  model_solution: true\nlate/*:\n  authors: Me\n': '3: late/* matches no program',
      'accepted/*:\n  permitted: [WA]\n':
        '1: no result of submissions/accepted/a.py can agree with all permitted verdicts',
      'accepted/*:\n  authors: Me\naccepted/a.py:\n  required: [WA, RTE]\n':
        '3: no result of submissions/accepted/a.py can agree with all permitted and required verdicts',
      'accepted/*:\n  secret/1:\n    permitted: [WA]\n':
        '1: no result of submissions/accepted/a.py can agree with all permitted verdicts in secret/1',
      'accepted/*:\n  secret/2*:\n    permitted: [AC]\n': '2: secret/2* matches no test case',
    }),
  )('warns with the line: %j', async (yaml, warning) => {
    const [line, message] = splitLine(warning)
    const { warnings } = await readOne('submissions/accepted/a.py', '', {}, yaml)
    expect(warnings).toEqual([{ file: YAML, message, line }])
  })

  it.each(
    Object.entries({
      '- a': '1: the file must be a map',
      'accepted: 3': '1: accepted must be a map',
      'accepted/*:\n  permitted: [AC, OK]\n': '2: permitted must be a list of AC, WA, TLE and RTE',
      'accepted/*:\n\n  required: []\n': '3: required must be a list of AC, WA, TLE and RTE',
      'accepted/*:\n  secret:\n    message: [1]\n': '3: message must be a text of at most 1000 characters',
      'accepted/*:\n  use_for_time_limit: maybe\n':
        '2: use_for_time_limit must be true, false, lower or upper',
      'accepted/*:\n  model_solution: 3\n': '2: model_solution must be true or false',
      'accepted/*:\n  score: [1]\n': '2: score must be a number or a list of two',
      'accepted/*:\n  score: [2, 1]\n': '2: the first score must not be above the second',
      'x/{a:\n  score: 1\n': '1: x/{a is not a valid pattern',
      '"**/a.py":\n': '1: **/a.py: patterns have * and {a,b}, but neither ** nor [abc]',
      'accepted/*:\n  secret/[12]:\n': '2: secret/[12]: patterns have * and {a,b}, but neither ** nor [abc]',
      'accepted/*:\n  use_for_time_limit: upper\n':
        '2: use_for_time_limit: upper contradicts other rules of submissions/accepted/a.py',
      'accepted/*:\n  secret/*:\n    use_for_time_limit: upper\n':
        '3: use_for_time_limit: upper contradicts other rules of submissions/accepted/a.py in secret/*',
      'accepted/*:\n  permitted: [AC]\n  required: [WA]\n': '1: permitted must contain a verdict of required',
      'accepted/*:\n  use_for_time_limit: lower\n  required: [TLE]\n':
        '1: permitted must contain a verdict of required',
      'accepted:\n  use_for_time_limit: upper\n':
        '1: permitted must contain TLE for use_for_time_limit: upper',
    }),
  )('refuses %j', async (yaml, fault) => {
    const [line, message] = splitLine(fault)
    const error = await readProgramsOf({ 'submissions/accepted/a.py': '', [YAML]: yaml }).catch(
      (err: unknown) => err,
    )
    expect(error).toEqual(new PackageError(YAML, message, line))
  })
})

describe('patterns', () => {
  it.each([
    ['accepted', 'accepted', true],
    ['accepted', 'accepted/a.py', true],
    ['accepted', 'accepted2/a.py', false],
    ['accepted/*', 'accepted/a.py', true],
    ['accepted/*', 'accepted', false],
    ['*', 'accepted/a.py', true],
    ['*.py', 'accepted/a.py', false],
    ['*/*.py', 'accepted/a.py', true],
    ['*/*.py', 'accepted/a.cpp', false],
    ['accepted/{simple,complex}.py', 'accepted/complex.py', true],
    ['accepted/{simple,complex}.py', 'accepted/other.py', false],
    ['accepted/me.{py,cpp}', 'accepted/me.cpp', true],
    ['{accepted,{wrong,late}_answer}/*', 'late_answer/x', true],
    ['{accepted,}', '', true],
    ['secret/*-easy', 'secret/07-easy', true],
    ['secret/*-easy', 'secret/07-hard', false],
    ['secret/g*', 'secret/g1/01', true],
    ['a.b', 'axb', false],
    ['*a*b*', 'xaxbx', true],
    ['*a*b*', 'xbxax', false],
  ])('%s matches %s: %s', (pattern, path, expected) => {
    expect(compileGlob(pattern)?.(path)).toBe(expected)
  })

  it.each(['{a', 'a}', '{a,{b}', 'a'.repeat(501)])('are refused: %s', (pattern) => {
    expect(compileGlob(pattern)).toBeUndefined()
  })

  it('are fast with many stars and braces', () => {
    const braces = compileGlob('{a,a*}'.repeat(16))
    expect(compileGlob('*a'.repeat(50))?.(`${'a'.repeat(249)}b`)).toBe(false)
    expect(braces?.(`${'a'.repeat(300)}b/c`)).toBe(true)
    expect(braces?.('a'.repeat(15))).toBe(false)
  })
})
