import { describe, expect, it } from 'vitest'
import type { Rule } from '../src/submissions/expectations.ts'
import { findStatuses, readExpectedResults } from '../src/submissions/expected-results.ts'
import { checkRules } from '../src/submissions/submissions.ts'
import { readOne, readProgramsOf, YAML } from './support/read-programs.ts'

const scoring = { format: 'legacy', isScoring: true } as const

describe('the folder of a program', () => {
  const bruteForce = { permitted: ['AC', 'RTE', 'TLE'], required: ['RTE', 'TLE'] }
  it.each([
    ['accepted', [{ permitted: ['AC'] }], 'ACCEPTED'],
    ['rejected', [{ required: ['RTE', 'TLE', 'WA'] }], 'not ACCEPTED'],
    ['wrong_answer', [{ permitted: ['AC', 'WA'], required: ['WA'] }], 'WRONG_ANSWER'],
    ['time_limit_exceeded', [{ permitted: ['AC', 'TLE'], required: ['TLE'] }], 'TIME_LIMIT_EXCEEDED'],
    ['run_time_error', [{ permitted: ['AC', 'RTE'], required: ['RTE'] }], 'RUNTIME_ERROR'],
    ['runtime_error', [{ permitted: ['AC', 'RTE'], required: ['RTE'] }], 'RUNTIME_ERROR'],
    ['brute_force', [bruteForce], 'RUNTIME_ERROR or TIME_LIMIT_EXCEEDED'],
    ['compiler_error', [{ statuses: ['COMPILE_TIME_ERROR'] }], 'COMPILE_TIME_ERROR'],
    ['output_limit', [{ statuses: ['OUTPUT_LIMIT_EXCEEDED'] }], 'OUTPUT_LIMIT_EXCEEDED'],
    ['presentation_error', [{ statuses: ['PRESENTATION_ERROR', 'WRONG_ANSWER'] }], 'PRESENTATION_ERROR'],
  ])('gives the rules of 2025-09: %s', async (folder, rules, expected) => {
    expect(await readOne(`submissions/${folder}/a.py`, '')).toEqual({ rules, expected, warnings: [] })
  })

  it.each([
    ['accepted', [{ permitted: ['AC'] }], 'ACCEPTED'],
    ['wrong_answer', [{ permitted: ['AC', 'WA'], required: ['WA'], useForTimeLimit: false }], 'WRONG_ANSWER'],
    ['time_limit_exceeded', [{ permitted: ['AC', 'WA', 'TLE'], required: ['TLE'] }], 'TIME_LIMIT_EXCEEDED'],
    ['run_time_error', [{ required: ['RTE'] }], 'RUNTIME_ERROR'],
    ['partially_accepted', [{ hasPartialScore: true }], 'some points, but not all'],
  ])('gives the rules of legacy packages: %s', async (folder, rules, expected) => {
    const read = await readOne(`submissions/${folder}/a.py`, '', scoring)
    expect(read).toEqual({ rules, expected, warnings: [] })
  })

  it.each([
    ['mixed', 'legacy'],
    ['partially_accepted', 'legacy'],
    ['partially_accepted', '2025-09'],
    ['constructor', '2025-09'],
  ] as const)('has no rules if it has no meaning: %s of %s', async (folder, format) => {
    const message = 'programs of this folder without an expected result may have any verdict'
    expect(await readOne(`submissions/${folder}/a.py`, '', { format })).toEqual({
      ...{ rules: [], expected: 'any verdict' },
      warnings: [{ file: `submissions/${folder}`, message }],
    })
  })
})

describe('the files of a program', () => {
  it('lists files and folders directly in the folders, sorted by path', async () => {
    const paths = [
      ...['accepted/z.cpp', 'accepted/multi/main.py', 'accepted/multi/lib/more.py', 'accepted/none'],
      ...['accepted/multi/__pycache__/main.cpython-311.pyc', 'accepted/single/Main.JAVA', 'accepted/B.C'],
      ...['accepted/.gitkeep', 'readme.txt'],
    ]
    const contents = Object.fromEntries(paths.map((path) => [`submissions/${path}`, '']))
    const { programs, warnings } = await readProgramsOf(contents)
    const folder = 'submissions/accepted'
    expect(programs.map(({ path, files }) => [path, files.map((file) => file.path)])).toEqual([
      [`${folder}/B.C`, [`${folder}/B.C`]],
      [`${folder}/multi`, [`${folder}/multi/lib/more.py`, `${folder}/multi/main.py`]],
      [`${folder}/none`, [`${folder}/none`]],
      [`${folder}/single`, [`${folder}/single/Main.JAVA`]],
      [`${folder}/z.cpp`, [`${folder}/z.cpp`]],
    ])
    const message = 'programs must be in a folder of submissions/: the file is not used'
    expect(warnings).toEqual([{ file: 'submissions/readme.txt', message }])
  })

  it('may be in any encoding', async () => {
    const source = Buffer.from('# caf\xe9\n# @EXPECTED_RESULTS@: TIMELIMIT', 'latin1')
    const { programs } = await readProgramsOf({ 'submissions/mixed/a.py': source })
    expect(programs[0]?.rules).toEqual([{ statuses: ['TIME_LIMIT_EXCEEDED'] }])
  })
})

describe('@EXPECTED_RESULTS@', () => {
  const slow = { statuses: ['TIME_LIMIT_EXCEEDED'] }
  const SOURCE = '# @EXPECTED_RESULTS@: TIMELIMIT'
  const expected = { rules: [slow], expected: 'TIME_LIMIT_EXCEEDED', warnings: [] }

  it.each(['legacy', 'legacy-icpc', '2025-09'] as const)('replaces the folder’s rule: %s', async (format) => {
    expect(await readOne('submissions/rejected/a.py', SOURCE, { format })).toEqual(expected)
  })

  it('replaces the rule that submissions.yaml has for the folder', async () => {
    const yaml = 'wrong_answer: {required: [RTE], permitted: [RTE]}\n'
    const { rules } = await readOne('submissions/wrong_answer/a.py', SOURCE, {}, yaml)
    expect(rules).toEqual([slow])
  })

  it('warns if the folder says something else', async () => {
    const file = 'submissions/accepted/a.py'
    const message = 'the expected result in the source is used, not that of the folder accepted'
    const warnings = [{ file, message }]
    expect(await readOne(file, SOURCE, { format: 'legacy' })).toEqual({ ...expected, warnings })
  })

  it('stays together with what submissions.yaml says of the folder', async () => {
    const { rules } = await readOne('submissions/rejected/a.py', SOURCE, {}, 'rejected:\n  message: late\n')
    expect(rules).toEqual([{ message: 'late' }, slow])
  })

  const accepted = { statuses: ['ACCEPTED'], expected: 'ACCEPTED' }
  const late = { ...slow, expected: 'TIME_LIMIT_EXCEEDED' }
  const crash = ['RUNTIME_ERROR', 'MEMORY_LIMIT_EXCEEDED', 'OUTPUT_LIMIT_EXCEEDED']
  const wrong = ['WRONG_ANSWER', 'PRESENTATION_ERROR']
  const manual = 'a person must check the result of this program'

  it('is nothing in a source without it', () => expect(readExpectedResults('print(1)')).toBeUndefined())

  it.each(
    Object.entries({
      '# @EXPECTED_RESULTS@: CORRECT\n': accepted,
      '// @expected_results@: accepted': accepted,
      '/* @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT */': {
        ...{ statuses: [...wrong, 'TIME_LIMIT_EXCEEDED'], expected: 'WRONG_ANSWER or TIME_LIMIT_EXCEEDED' },
      },
      '# @EXPECTED_RESULTS@: run_time_error,OUTPUT-LIMIT\r\n# more': {
        ...{ statuses: crash, expected: 'RUNTIME_ERROR or OUTPUT_LIMIT_EXCEEDED' },
      },
      '#@EXPECTED_RESULTS@:COMPILER-ERROR': {
        ...{ statuses: ['COMPILE_TIME_ERROR'], expected: 'COMPILE_TIME_ERROR' },
      },
      '# @EXPECTED_RESULTS@: NO-OUTPUT': { statuses: wrong, expected: 'WRONG_ANSWER' },
      '# @EXPECTED_SCORE@: 40.5': { score: 40.5 },
      '# @EXPECTED_SCORE@: TIMELIMIT': late,
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
  )('is read: %j', (source, expected) => {
    expect(readExpectedResults(source)).toEqual(expected)
  })

  it('has no inherited names', () => {
    expect(['constructor', 'toString', 'mixed'].map(findStatuses)).toEqual([undefined, undefined, undefined])
  })

  it('gives a score for scoring problems', async () => {
    const read = await readOne('submissions/mixed/a.py', '# @EXPECTED_SCORE@: 40', scoring)
    expect(read).toMatchObject({ rules: [{ score: [40, 40] }], expected: 'a score of 40' })
  })
})

describe('the bounds for programs', () => {
  const programs = (count: number, name = 'a') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`submissions/accepted/${name}${i}.py`, '']))

  it('refuses more than 1,000 programs', async () => {
    expect((await readProgramsOf(programs(1000))).programs).toHaveLength(1000)
    await expect(readProgramsOf(programs(1001))).rejects.toThrow(
      'submissions: it must have at most 1000 programs',
    )
  })

  it('refuses many entries, long patterns and too many comparisons', async () => {
    const yaml = (count: number, pattern: string) =>
      Array.from({ length: count }, (_, i) => `"${pattern}${i}": {}\n`).join('')
    const refused = [
      [{ ...programs(1), [YAML]: yaml(201, 'x') }, 'submissions/submissions.yaml, line 1: the file must'],
      [{ ...programs(1), [YAML]: yaml(1, 'x'.repeat(100)) }, 'line 1: a pattern must have at most 100 char'],
      [{ ...programs(900, 'a'.repeat(200)), [YAML]: yaml(200, '*a'.repeat(40)) }, 'too many patterns'],
    ] as const
    for (const [files, message] of refused) await expect(readProgramsOf(files)).rejects.toThrow(message)
  })

  it('refuses too many expected results for so many test cases, and slow patterns', () => {
    const tests = Array.from({ length: 10_000 }, (_, i) => ({ name: `secret/${'a'.repeat(100)}${i}` }))
    const check = (rules: readonly Rule[]) => checkRules([{ rules }], tests)
    const many = (count: number) => Array.from({ length: count }, (): Rule => ({ permitted: ['AC'] }))
    check([{ cases: 'secret/{1,2}/*' }, ...many(4999)])
    expect(() => check(many(5001))).toThrow(`${YAML}: the programs have too many expected results`)
    expect(() => check([{ cases: `secret/${'*a'.repeat(30)}` }])).toThrow('too many patterns')
  })

  it('does not read the expected results of a source above 1 MiB', async () => {
    const source = `# @EXPECTED_RESULTS@: TIMELIMIT\n${'#'.repeat(1024 * 1024)}`
    const { rules, warnings } = await readOne('submissions/mixed/a.py', source)
    expect(rules).toEqual([])
    expect(warnings[0]?.message).toBe('the source has over 1 MiB: its expected results are not read')
  })
})
